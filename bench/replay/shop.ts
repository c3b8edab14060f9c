import {
  type Certificate,
  certificateSubject,
  correctCertificate,
  type MillCertificate,
  type MillCertificateEvent,
  millCertificate,
  millCertificateKey,
  registerCertificate,
} from '../../src/domain/certificates/certificate.ts'
import { certificateFields } from '../../src/domain/certificates/certificateContent.ts'
import { mechanicalFields } from '../../src/domain/certificates/materialTests.ts'
import { company, registerCompany } from '../../src/domain/company/company.ts'
import { filterProfiles, saveProfile } from '../../src/domain/company/filterProfiles.ts'
import { setMemberRoles } from '../../src/domain/company/members.ts'
import { pick } from '../../src/domain/kernel/fields.ts'
import { millCertificationIdOf, orderIdOf } from '../../src/domain/kernel/identifiers.ts'
import {
  type Order,
  type OrderEvent,
  order,
  orderKey,
  orderSubject,
  type RegisteredOrder,
  registerOrder,
} from '../../src/domain/orders/order.ts'
import { lineItemFields, type OrderContent, orderHeadFields } from '../../src/domain/orders/orderContent.ts'
import { subscribeRulePack } from '../../src/domain/rulePacks/rulePackSubscriptions.ts'
import type { CatalogueEvent } from '../../src/domain/tags/catalogueEvents.ts'
import { assignTags, withRuleAssignments } from '../../src/domain/tags/subject.ts'
import type { Family } from '../../src/domain/tags/tag.ts'
import {
  createTag,
  restoreTag,
  softDeleteTag,
  type TagCatalogue,
  tagCatalogue,
  updateTag,
} from '../../src/domain/tags/tagCatalogue.ts'
import { planAndCut } from './plans.ts'
import { createStream, type Past, type PastEvent, type Stream } from './stream.ts'

/** A company that tags, registers and cuts. Every call of `work` makes one thing happen in it. */

const tagsOf: Readonly<Record<Family, number>> = { millCert: 40, order: 25 }
/** Number of the newest subjects that may still change. */
const present = 300
const grades = ['S235JR', 'S275J0', 'S355J2', 'S355J2+N', 'S355K2', 'S420N']

export function createShop(past: Past, record: (event: PastEvent) => void, withRules: boolean) {
  const { chance } = past
  const companyId = chance.uuid()
  const catalogue = createStream(past, record, tagCatalogue, companyId)
  const profiles = createStream(past, record, filterProfiles, companyId)
  const certificates: Stream<MillCertificate, MillCertificateEvent>[] = []
  const orders: Stream<Order, OrderEvent>[] = []
  let numbers = 0

  const tagsFor = (family: Family): string[] => {
    const own = [...catalogue.state.tags.values()].filter(
      (tag) => tag.family === family && tag.active && !tag.isSystemTag,
    )
    return Array.from({ length: chance.between(1, 3) }, () => chance.pick(own).tagId)
  }

  const changeTag = () => {
    const own = [...catalogue.state.tags.values()].filter(({ isSystemTag }) => !isSystemTag)
    const tag = chance.pick(own)
    if (!tag.active) catalogue.decide(() => restoreTag(tag))
    else if (chance.of(0.1)) catalogue.decide(() => softDeleteTag(tag))
    else
      catalogue.decide((state) =>
        updateTag(state, tag, tagContent(past, `${tag.name.split('/')[0]}/${++numbers}`)),
      )
  }

  const assignCertificate = (stream: Stream<MillCertificate, MillCertificateEvent>) =>
    stream.decide((state, context) =>
      assignTags(certificateSubject, state as Certificate, tagsFor('millCert'), context),
    )
  const assignOrder = (stream: Stream<Order, OrderEvent>) =>
    stream.decide((state, context) =>
      assignTags(orderSubject, state as RegisteredOrder, tagsFor('order'), context),
    )

  const registerACertificate = () => {
    const [certificateNumber, heatNumber] = [`W-${++numbers}`, `H${chance.between(10_000, 99_999)}`]
    const millCertificationId = millCertificationIdOf(companyId, certificateNumber, heatNumber)
    const identity = { companyId, millCertificationId, certificateNumber, heatNumber, item: null }
    const key = millCertificateKey(companyId, millCertificationId)
    const stream = createStream(past, record, millCertificate, key)
    stream.decide((state, context) => {
      const registered = registerCertificate(state, identity, certificateContent(past))
      return withRuleAssignments(certificateSubject, registered, undefined, catalogue.state, context)
    })
    remember(certificates, stream)
    if (chance.of(0.6)) assignCertificate(stream)
  }

  const correctACertificate = () =>
    chance.pick(certificates).decide((state, context) => {
      const known = state as Certificate
      const thicknessMm = (known.facts.thicknessMm ?? 0) + 0.5
      const corrected = correctCertificate(known, { ...known.facts, thicknessMm })
      return withRuleAssignments(certificateSubject, corrected, known, catalogue.state, context)
    })

  const registerAnOrder = () => {
    const orderNumber = `O-${++numbers}`
    const orderId = orderIdOf(companyId, orderNumber)
    const stream = createStream(past, record, order, orderKey(companyId, orderId))
    stream.decide((state, context) =>
      withRuleAssignments(
        orderSubject,
        registerOrder(state, { companyId, orderId, orderNumber }, orderContent(past)),
        undefined,
        catalogue.state,
        context,
      ),
    )
    remember(orders, stream)
    if (chance.of(0.4)) assignOrder(stream)
  }

  const planOnce = () => {
    const millCertificationId = chance.pick(certificates).state!.facts.millCertificationId
    const lineItems = Array.from({ length: 8 }, () => chance.pick(orders).state!.facts).flatMap((facts) =>
      facts.lineItems.map((item) => ({ ...item, orderId: facts.orderId })),
    )
    planAndCut(past, record, { companyId, millCertificationId, lineItems })
  }

  const saveAProfile = () =>
    profiles.decide((state, context) =>
      state.profiles.size < 100
        ? saveProfile(
            state,
            companyId,
            { name: `Profile ${++numbers}`, filters: { grades, remnantMm: { min: chance.below(900) } } },
            context,
          )
        : [],
    )

  openCompany(past, record, catalogue, companyId, withRules)
  for (let n = 0; n < 10; n++) {
    registerACertificate()
    registerAnOrder()
  }
  return {
    /** The shares are a guess at a working shop. */
    work(): void {
      const share = chance.below(1_000)
      if (share < 420) registerACertificate()
      else if (share < 620) registerAnOrder()
      else if (share < 800) assignCertificate(chance.pick(certificates))
      else if (share < 870) assignOrder(chance.pick(orders))
      else if (share < 920) correctACertificate()
      else if (share < 980) changeTag()
      else if (share < 982) saveAProfile()
      else planOnce()
    },
  }
}

/** Keep the newest `present` items. */
function remember<Item>(items: Item[], item: Item): void {
  items.push(item)
  if (items.length > present) items.shift()
}

/** Register the company with its members, its tags and, if wanted, its rule packs. */
function openCompany(
  past: Past,
  record: (event: PastEvent) => void,
  catalogue: Stream<TagCatalogue, CatalogueEvent>,
  companyId: string,
  withRules: boolean,
): void {
  const members = createStream(past, record, company, companyId)
  members.decide((state, context) =>
    registerCompany(state, { companyId, name: `Steel Works ${companyId.slice(0, 4)}` }, context),
  )
  for (const { id } of past.actors)
    members.decide((state) => setMemberRoles(state!, { userId: id, wanted: ['Admin', 'Editor', 'Planner'] }))
  for (const family of ['millCert', 'order'] as const)
    for (let n = 0; n < tagsOf[family]; n++)
      catalogue.decide((state, context) =>
        createTag(state, { companyId, family, content: tagContent(past, `Tag ${n}`) }, context),
      )
  if (!withRules) return
  for (const pack of past.rules.packs) catalogue.decide((state) => subscribeRulePack(state, companyId, pack))
}

function tagContent({ chance }: Past, name: string) {
  return {
    name,
    color: `#${chance.uuid().slice(0, 6)}`,
    description: chance.of(0.5) ? 'The shop must know about this tag.' : null,
    severity: chance.pick(['Block', 'Flag', 'Audit', null] as const),
  }
}

function certificateContent({ chance }: Past) {
  return pick(certificateFields, {
    standard: 'EN 10025-2',
    grade: chance.pick(grades),
    inspectionDocument: chance.pick(['2.2', '3.1', '3.1', '3.2'] as const),
    manufacturer: `Mill ${chance.below(30)}`,
    productForm: chance.pick(['Plate', 'Section', 'Bar'] as const),
    thicknessMm: chance.between(5, 80),
    chemistry: chance.of(0.8)
      ? { C: chance.between(5, 25) / 100, Mn: chance.between(80, 170) / 100, P: 0.015, S: 0.008, Si: 0.3 }
      : null,
    mechanical: chance.of(0.8)
      ? pick(mechanicalFields, {
          reHMpa: chance.between(220, 460),
          rmMpa: chance.between(380, 640),
          a5Percent: chance.between(18, 30),
          kvJoule: chance.between(20, 120),
          kvTemperatureC: -20,
        })
      : null,
    issuedOn: '2026-02-03',
  })
}

function orderContent({ chance }: Past): OrderContent {
  return {
    ...pick(orderHeadFields, {}),
    customer: `Bridge & Beam ${chance.below(200)}`,
    requiredInspectionDocument: '3.1',
    executionClass: chance.pick(['EXC1', 'EXC2', 'EXC3'] as const),
    lineItems: Array.from({ length: chance.between(1, 6) }, (_, index) => ({
      ...pick(lineItemFields, {}),
      lineNumber: (index + 1) * 10,
      description: 'Girder',
      grade: chance.pick(grades),
      profile: 'HEA 200',
      lengthMm: chance.between(400, 3_000),
      quantity: chance.between(1, 20),
    })),
  }
}

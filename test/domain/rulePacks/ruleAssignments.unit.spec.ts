import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Certificate,
  certificateSubject,
  type MillCertificateEvent,
  millCertificate,
  registerCertificate,
} from '../../../src/domain/certificates/certificate.ts'
import { fold } from '../../../src/domain/kernel/aggregate.ts'
import { systemTagIdOf } from '../../../src/domain/kernel/identifiers.ts'
import { order, orderSubject, type RegisteredOrder } from '../../../src/domain/orders/order.ts'
import type { RuleAssignmentsReplaced } from '../../../src/domain/rulePacks/ruleAssignments.ts'
import { rulesAsOf } from '../../../src/domain/rulePacks/ruleAssignments.ts'
import type { RuleBook, RulePackOffer } from '../../../src/domain/rulePacks/ruleBook.ts'
import {
  subscribeRulePack,
  unsubscribeRulePack,
  upgradeRulePack,
} from '../../../src/domain/rulePacks/rulePackSubscriptions.ts'
import { assignedTags } from '../../../src/domain/tags/assignments.ts'
import type { CatalogueEvent } from '../../../src/domain/tags/catalogueEvents.ts'
import { assignTags, evaluateByRules, withRuleAssignments } from '../../../src/domain/tags/subject.ts'
import { type TagCatalogue, tagCatalogue } from '../../../src/domain/tags/tagCatalogue.ts'
import { alice, companyId, contextOf, given, id, now, stored } from '../../support/given.ts'
import { type PlainRule, packOffer, ruleBookOf, systemTag, type Verdict } from '../../support/rules.ts'
import {
  assignment,
  certificateContent,
  certificateIdentity,
  certificateRegistered,
  orderIdentity,
  orderRegistered,
} from '../verdict/facts.ts'

const offer = packOffer({
  tags: [systemTag('thick'), systemTag('thin'), systemTag('exc', { family: 'order' })],
})

function tagIdOf(key: string) {
  return systemTagIdOf(companyId, 'house', key)
}

const [thick, thin] = [tagIdOf('thick'), tagIdOf('thin')]

function rule(ruleId: string, tag: string, verdict: Verdict): PlainRule {
  return { ruleId, tag, says: () => verdict }
}

function book(...rules: PlainRule[]): RuleBook {
  return ruleBookOf({ offer, rules })
}

function catalogueOf(...events: readonly CatalogueEvent[]): TagCatalogue {
  return fold(tagCatalogue, tagCatalogue.initial, stored([...events]))
}

const subscribing = subscribeRulePack(tagCatalogue.initial, companyId, offer)
const subscribed = catalogueOf(...subscribing)
const unsubscribed = catalogueOf(...subscribing, ...unsubscribeRulePack(subscribed, companyId, 'house'))

const evaluate =
  (rules: RuleBook, catalogue = subscribed) =>
  (state: Certificate) =>
    evaluateByRules(certificateSubject, state, catalogue, contextOf(alice, rules))

const subject = {
  companyId,
  family: 'millCert' as const,
  subjectId: certificateIdentity.millCertificationId,
  subjectLabel: certificateIdentity.certificateNumber,
}

const by = { actor: { id: 'house', name: 'House rules', kind: 'rulePack' as const } }
function ruleAssignment(n: number, ruleId: string, tagId: string) {
  return { assignmentId: id(n), tagId, ruleId, assignedAt: now }
}

function matched(one: ReturnType<typeof ruleAssignment>) {
  return { ...one, clause: `Clause of ${one.ruleId}`, values: { seen: 'true' } }
}

function notEvaluated(tagId: string, reason: string, ...ruleIds: string[]) {
  return { tagId, reason, ruleIds }
}

/** @param rulesAsOf the revision of the last subscription that the evaluation knew of; by default that of `subscribed` */
function replaced(data: Partial<RuleAssignmentsReplaced['data']>, rulesAsOf = 3) {
  return {
    type: 'RuleAssignmentsReplaced' as const,
    data: {
      ...subject,
      rulePackId: 'house',
      name: 'House rules',
      version: 1,
      hash: 'hash 1',
      matched: [],
      notEvaluated: [],
      added: [],
      removed: [],
      settled: [],
      usage: { gained: [], lost: [] },
      ...data,
    },
    metadata: { ...by, rulesAsOf },
  } satisfies RuleAssignmentsReplaced
}

const isThick = ruleAssignment(1, 'is-thick', thick)
const found = replaced({
  matched: [matched(isThick)],
  notEvaluated: [notEvaluated(thin, 'thickness is missing', 'is-thin')],
  added: ['is-thick'],
  usage: { gained: [thick], lost: [] },
})

const sameRules = book(rule('is-thick', 'thick', true), rule('is-thin', 'thin', 'thickness is missing'))

describe('evaluating a subject', () => {
  it('records matches and rules that were not evaluated, with evidence, in the name of the pack', () =>
    given(millCertificate, certificateRegistered()).when(evaluate(sameRules)).records(found))

  it('records nothing when no rule matches, or no pack is subscribed to', () => {
    const none = book(rule('is-thick', 'thick', false))
    given(millCertificate, certificateRegistered()).when(evaluate(none)).recordsNothing()
    given(millCertificate, certificateRegistered())
      .when(evaluate(sameRules, tagCatalogue.initial))
      .recordsNothing()
    given(millCertificate, certificateRegistered()).when(evaluate(sameRules, unsubscribed)).recordsNothing()
  })

  it('records nothing the second time', () =>
    given(millCertificate, certificateRegistered(), found).when(evaluate(sameRules)).recordsNothing())

  it('keeps assignments that stay, and names those that it adds, removes and settles', () => {
    const isThin = ruleAssignment(1, 'is-thin', thin)
    const before = { ...isThick, assignmentId: id(77), assignedAt: '2026-01-01T00:00:00.000Z' }
    const first = replaced({
      matched: [matched(before)],
      notEvaluated: [notEvaluated(thin, 'x', 'is-thin', 'is-odd')],
      added: ['is-thick'],
      usage: { gained: [thick], lost: [] },
    })
    given(millCertificate, certificateRegistered(), first)
      .when(evaluate(book(rule('is-thick', 'thick', true), rule('is-thin', 'thin', true))))
      .records(
        replaced({
          matched: [matched(before), matched(isThin)],
          added: ['is-thin'],
          settled: ['is-odd'],
          usage: { gained: [thin], lost: [] },
        }),
      )
    given(millCertificate, certificateRegistered(), first)
      .when(evaluate(book(rule('is-thick', 'thick', false))))
      .records(
        replaced({
          removed: [before],
          settled: ['is-thick', 'is-thin', 'is-odd'],
          usage: { gained: [], lost: [thick] },
        }),
      )
  })

  it('records other evidence for the same match', () => {
    const other = { ...matched(isThick), values: { seen: 'false' } }
    given(millCertificate, certificateRegistered(), replaced({ matched: [other], added: ['is-thick'] }))
      .when(evaluate(book(rule('is-thick', 'thick', true))))
      .records(replaced({ matched: [matched(isThick)] }))
  })

  it('counts a tag once when two rules assign it', () => {
    const two = [ruleAssignment(1, 'is-thick', thick), ruleAssignment(2, 'is-heavy', thick)]
    given(millCertificate, certificateRegistered())
      .when(evaluate(book(rule('is-thick', 'thick', true), rule('is-heavy', 'thick', true))))
      .records(
        replaced({
          matched: two.map(matched),
          added: ['is-thick', 'is-heavy'],
          usage: { gained: [thick], lost: [] },
        }),
      )
  })

  it('clears all assignments of a pack that is no longer subscribed to', () =>
    given(millCertificate, certificateRegistered(), found)
      .when(evaluate(sameRules, unsubscribed))
      .records(
        replaced(
          { removed: [isThick], settled: ['is-thick', 'is-thin'], usage: { gained: [], lost: [thick] } },
          7,
        ),
      ))

  it('names an order by its number', () => {
    const exc = tagIdOf('exc')
    const isExc = ruleAssignment(1, 'is-exc3', exc)
    given(order, orderRegistered())
      .when((state: RegisteredOrder) =>
        evaluateByRules(
          orderSubject,
          state,
          subscribed,
          contextOf(alice, book(rule('is-exc3', 'exc', true))),
        ),
      )
      .records(
        replaced({
          family: 'order',
          subjectId: orderIdentity.orderId,
          subjectLabel: orderIdentity.orderNumber,
          matched: [matched(isExc)],
          added: ['is-exc3'],
          usage: { gained: [exc], lost: [] },
        }),
      )
  })
})

describe('manual and rule assignments', () => {
  const byHand = assignment(id(50), thick, now)
  const manually = {
    type: 'ManualAssignmentsReplaced' as const,
    data: {
      ...subject,
      assignments: [byHand],
      added: [byHand],
      removed: [],
      usage: { gained: [thick], lost: [] },
    },
  }

  it('count a tag once, in either order', () => {
    given(millCertificate, certificateRegistered(), manually)
      .when(evaluate(book(rule('is-thick', 'thick', true))))
      .records(replaced({ matched: [matched(isThick)], added: ['is-thick'] }))
    given(millCertificate, certificateRegistered(), found)
      .when((state: Certificate, context) => assignTags(certificateSubject, state, [thick], context))
      .records({
        ...manually,
        data: {
          ...manually.data,
          assignments: [assignment(id(1), thick, now)],
          added: [assignment(id(1), thick, now)],
          usage: { gained: [], lost: [] },
        },
      })
  })

  it('do not change each other', () => {
    given(millCertificate, certificateRegistered(), found, manually)
      .when((state: Certificate, context) => assignTags(certificateSubject, state, [], context))
      .records({
        ...manually,
        data: {
          ...manually.data,
          assignments: [],
          added: [],
          removed: [byHand],
          usage: { gained: [], lost: [] },
        },
      })
    given(millCertificate, certificateRegistered(), found, manually)
      .when(evaluate(sameRules, unsubscribed))
      .records(replaced({ removed: [isThick], settled: ['is-thick', 'is-thin'] }, 7))
  })
})

describe('two versions of a pack', () => {
  const next: RulePackOffer = { ...offer, version: 2, hash: 'hash 2' }
  const upgraded = catalogueOf(...subscribing, ...upgradeRulePack(subscribed, companyId, next))

  it('differ in the evidence, even with the same rules', () =>
    given(millCertificate, certificateRegistered(), found)
      .when(evaluate(ruleBookOf({ offer: next, rules: [rule('is-thick', 'thick', true)] }), upgraded))
      .records(
        replaced({ version: 2, hash: 'hash 2', matched: [matched(isThick)], settled: ['is-thin'] }, 4),
      ))

  it('are evaluated only by a release that ships that version', () =>
    given(millCertificate, certificateRegistered(), found)
      .when(evaluate(book(rule('is-thick', 'thick', false)), upgraded))
      .recordsNothing())

  it('give a revision of the rules only to a release that ships the version in force', () => {
    expect(rulesAsOf(subscribed, contextOf(alice, book()))).toBe(3)
    expect(rulesAsOf(upgraded, contextOf(alice, book()))).toBe(-1)
    expect(rulesAsOf(upgraded, contextOf(alice, ruleBookOf({ offer: next, rules: [] })))).toBe(4)
    expect(rulesAsOf(unsubscribed, contextOf(alice, ruleBookOf()))).toBe(7)
  })
})

it('a registration is recorded with its evaluation and the revision of the rules', () => {
  const context = contextOf(alice, book(rule('is-thick', 'thick', true)))
  const events = withRuleAssignments(
    certificateSubject,
    registerCertificate(undefined, certificateIdentity, certificateContent()),
    undefined,
    subscribed,
    context,
  )
  expect(events).toStrictEqual([
    { ...certificateRegistered(), metadata: { rulesAsOf: 3 } },
    {
      ...replaced({ matched: [matched(isThick)], added: ['is-thick'], usage: { gained: [thick], lost: [] } }),
      metadata: by,
    },
  ])
  expect(withRuleAssignments(certificateSubject, [], undefined, subscribed, context)).toEqual([])
})

it('usage names exactly the tags that the subject gains and loses, in any order of assignments', () => {
  const step = fc.oneof(
    fc.record({ hand: fc.subarray([thick, thin]) }),
    fc.record({ verdicts: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()) }),
    fc.constant('unsubscribed' as const),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      const events: MillCertificateEvent[] = [certificateRegistered()]
      const counted = new Set<string>()
      for (const one of steps) {
        const state = fold(millCertificate, undefined, stored(events))!
        const decided =
          typeof one === 'string'
            ? evaluate(book(), unsubscribed)(state)
            : 'hand' in one
              ? assignTags(certificateSubject, state, one.hand, contextOf())
              : evaluate(
                  book(
                    rule('a', 'thick', one.verdicts[0]),
                    rule('b', 'thick', one.verdicts[1]),
                    rule('c', 'thin', one.verdicts[2]),
                  ),
                )(state)
        for (const event of decided) {
          const { gained, lost } = (event as RuleAssignmentsReplaced).data.usage
          for (const tagId of gained) {
            expect(counted.has(tagId)).toBe(false)
            counted.add(tagId)
          }
          for (const tagId of lost) expect(counted.delete(tagId)).toBe(true)
          events.push(event)
        }
        const { assignments } = fold(millCertificate, undefined, stored(events))!
        expect(counted).toEqual(assignedTags(assignments))
      }
    }),
  )
})

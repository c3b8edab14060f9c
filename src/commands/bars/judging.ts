import type { OpenedBar } from '../../domain/bars/bar.ts'
import type { Judgement } from '../../domain/bars/barApproval.ts'
import {
  type Certificate,
  type CertificateFacts,
  millCertificate,
  millCertificateKey,
} from '../../domain/certificates/certificate.ts'
import { company, releasePolicyOf } from '../../domain/company/company.ts'
import { listedDocuments } from '../../domain/documents/certificateDocuments.ts'
import { pick } from '../../domain/kernel/fields.ts'
import { type OrderIdentity, order, orderKey, type RegisteredOrder } from '../../domain/orders/order.ts'
import { notJudgedOf } from '../../domain/rulePacks/notJudged.ts'
import { pairRulesOf } from '../../domain/rulePacks/ownRulePack.ts'
import type { TagCatalogue } from '../../domain/tags/tagCatalogue.ts'
import { judge } from '../../domain/verdict/verdict.ts'
import {
  aloneInHeat,
  completeFacts,
  type JudgedCertificate,
  type JudgedOrder,
  judgedFields,
  judgedOrderFields,
  type VerdictFacts,
} from '../../domain/verdict/verdictFacts.ts'
import { concurrently } from '../../lib/concurrently.ts'
import type { Load } from '../executor/command.ts'
import { activeTags, catalogueOf } from '../tags/catalogue.ts'
import { streamsAtOnce } from './barChecks.ts'

/** Load what a bar is judged from: each stream to its very end, so that no fact is missed that was recorded before. */

/** Facts that no stream lists. They are looked up in the read models, which may be behind by moments. */
export interface LookUps {
  /** The other certificates of the heat that are Rejected or have a Block. */
  sameHeat(
    certificate: Pick<CertificateFacts, 'companyId' | 'millCertificationId'>,
  ): Promise<VerdictFacts['sameHeat']>
  /** The steel that is left of a certificate; null while no delivery of its steel is recorded. */
  stock(
    certificate: Pick<CertificateFacts, 'companyId' | 'millCertificationId'>,
  ): Promise<JudgedCertificate['stock']>
  /** The number of Accepted cuts for each line item of an order, on every bar. */
  acceptedCuts(order: Pick<OrderIdentity, 'companyId' | 'orderId'>): Promise<ReadonlyMap<string, number>>
}

export interface LoadedJudgement extends Judgement {
  /** Whether the certificate that the bar names exists. */
  readonly hasCertificate: boolean
}

/** Load the facts that a bar is judged from. */
export type LoadJudgement = (load: Load, bar: OpenedBar) => Promise<Judgement>

/** The most states and look-ups that are held for several judgements. */
const mostHeld = 500

/**
 * Load facts that many bars share only once. Each judgement sees every fact that was recorded before the first
 * judgement began. It may miss a later fact, so such a fact must bring a judgement of its own.
 */
export function judgeTogether(lookUps: LookUps): LoadJudgement {
  const loads = new Map<string, Promise<unknown>>()
  const readOnce = <Result>(key: string, read: () => Promise<Result>): Promise<Result> => {
    if (loads.size >= mostHeld) loads.clear()
    const loading = (loads.get(key) as Promise<Result> | undefined) ?? read()
    loads.set(key, loading)
    return loading
  }
  const together: LookUps = {
    sameHeat: (certificate) =>
      readOnce(`heat of ${certificate.millCertificationId}`, () => lookUps.sameHeat(certificate)),
    stock: (certificate) =>
      readOnce(`stock of ${certificate.millCertificationId}`, () => lookUps.stock(certificate)),
    acceptedCuts: (order) => readOnce(`cuts for ${order.orderId}`, () => lookUps.acceptedCuts(order)),
  }
  return (load, bar) =>
    loadJudgement(
      (aggregate, id) => readOnce(aggregate.streamName(id), () => load(aggregate, id)),
      together,
      bar,
    )
}

/** @param accepting the cut that becomes Accepted, if any: its order counts, too */
export async function loadJudgement(
  load: Load,
  lookUps: LookUps,
  bar: OpenedBar,
  accepting?: string,
): Promise<LoadedJudgement> {
  const { companyId, millCertificationId } = bar
  const counting = bar.cuts.filter(({ cutId, status }) => status === 'Accepted' || cutId === accepting)
  const orderIds = [...new Set(counting.map(({ orderId }) => orderId))]
  const [catalogue, policy, certificate, orders] = await Promise.all([
    catalogueOf(companyId)(load),
    load(company, companyId).then(({ state }) => releasePolicyOf(state)),
    millCertificationId === null
      ? undefined
      : load(millCertificate, millCertificateKey(companyId, millCertificationId)).then(({ state }) => state),
    concurrently(streamsAtOnce, orderIds, async (orderId) => ({
      ...(await load(order, orderKey(companyId, orderId))),
      acceptedCuts: await lookUps.acceptedCuts({ companyId, orderId }),
    })),
  ])
  const facts = {
    policy,
    pairRules: pairRulesOf(catalogue),
    certificate: certificate
      ? judgedCertificate(certificate, catalogue, await lookUps.stock(certificate.facts))
      : null,
    sameHeat: certificate ? await lookUps.sameHeat(certificate.facts) : aloneInHeat,
    orders: orders.flatMap(({ state, acceptedCuts }) =>
      state ? [judgedOrder(state, catalogue, acceptedCuts)] : [],
    ),
  }
  return {
    policy,
    hasCertificate: certificate !== undefined,
    verdictOn: ({ grade, profile, heatRead, cuts, overrides }) => {
      const acceptedCuts = cuts.filter(({ status }) => status === 'Accepted')
      const cutFor = new Set(acceptedCuts.map(({ orderId }) => orderId))
      const orders = facts.orders
        .filter(({ orderId }) => cutFor.has(orderId))
        .map((one) => withChangedCuts(one, bar.cuts, cuts))
      return judge(completeFacts({ ...facts, grade, profile, heatRead, acceptedCuts, orders, overrides }))
    },
  }
}

export function judgedCertificate(
  { facts, status, assignments, documents }: Certificate,
  catalogue: TagCatalogue,
  stock: JudgedCertificate['stock'],
): JudgedCertificate {
  return {
    millCertificationId: facts.millCertificationId,
    ...pick(judgedFields, facts),
    heatNumber: facts.heatNumber,
    status,
    tags: activeTags(catalogue, assignments).tags,
    notJudged: notJudgedOf(assignments.byRules),
    documents: listedDocuments(documents),
    stock,
  }
}

/** Count the Accepted cuts as they are once the cuts of the bar have changed. */
function withChangedCuts(
  order: JudgedOrder,
  before: OpenedBar['cuts'],
  after: OpenedBar['cuts'],
): JudgedOrder {
  if (before === after) return order
  const countIn = (cuts: OpenedBar['cuts'], lineItemId: string) =>
    cuts.filter((cut) => cut.status === 'Accepted' && cut.lineItemId === lineItemId).length
  const lineItems = order.lineItems.map((line) => {
    const added = countIn(after, line.lineItemId) - countIn(before, line.lineItemId)
    return { ...line, acceptedCuts: line.acceptedCuts + added }
  })
  return { ...order, lineItems }
}

function judgedOrder(
  { facts, assignments }: RegisteredOrder,
  catalogue: TagCatalogue,
  acceptedCuts: ReadonlyMap<string, number>,
): JudgedOrder {
  const { orderId, orderNumber, lineItems } = facts
  return {
    orderId,
    orderNumber,
    ...pick(judgedOrderFields, facts),
    lineItems: lineItems.map((line) => ({ ...line, acceptedCuts: acceptedCuts.get(line.lineItemId) ?? 0 })),
    tags: activeTags(catalogue, assignments).tags,
  }
}

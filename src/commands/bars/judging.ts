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
import { order, orderKey, type RegisteredOrder } from '../../domain/orders/order.ts'
import { notJudgedOf } from '../../domain/rulePacks/notJudged.ts'
import type { TagCatalogue } from '../../domain/tags/tagCatalogue.ts'
import { judge } from '../../domain/verdict/verdict.ts'
import {
  completeFacts,
  type JudgedCertificate,
  type JudgedOrder,
  noneBlocked,
  type VerdictFacts,
} from '../../domain/verdict/verdictFacts.ts'
import { concurrently } from '../../lib/concurrently.ts'
import type { Load } from '../executor/command.ts'
import { activeTags, catalogueOf } from '../tags/catalogue.ts'
import { streamsAtOnce } from './barChecks.ts'

/** Load what a bar is judged from: each stream to its very end, so that no fact is missed that was recorded before. */

/**
 * Find the other certificates of the heat that are Rejected or have a Block. No stream lists them, so this looks into
 * the read models, which may be behind by moments.
 */
export type FindBlockedOfSameHeat = (
  certificate: CertificateFacts,
) => Promise<VerdictFacts['blockedOfSameHeat']>

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
export function judgeTogether(findBlockedOfSameHeat: FindBlockedOfSameHeat): LoadJudgement {
  const loads = new Map<string, Promise<unknown>>()
  const once = <Result>(key: string, read: () => Promise<Result>): Promise<Result> => {
    if (loads.size >= mostHeld) loads.clear()
    const known = (loads.get(key) as Promise<Result> | undefined) ?? read()
    loads.set(key, known)
    return known
  }
  const ofHeat: FindBlockedOfSameHeat = (certificate) =>
    once(`heat of ${certificate.millCertificationId}`, () => findBlockedOfSameHeat(certificate))
  return (load, bar) =>
    loadJudgement((aggregate, id) => once(aggregate.streamName(id), () => load(aggregate, id)), ofHeat, bar)
}

/** @param accepting the cut that becomes Accepted, if any: its order counts, too */
export async function loadJudgement(
  load: Load,
  findBlockedOfSameHeat: FindBlockedOfSameHeat,
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
    concurrently(streamsAtOnce, orderIds, (orderId) => load(order, orderKey(companyId, orderId))),
  ])
  const known = {
    policy,
    certificate: certificate ? judgedCertificate(certificate, catalogue) : null,
    blockedOfSameHeat: certificate ? await findBlockedOfSameHeat(certificate.facts) : noneBlocked,
    orders: orders.flatMap(({ state }) => (state ? [judgedOrder(state, catalogue)] : [])),
  }
  return {
    policy,
    hasCertificate: certificate !== undefined,
    verdictOn: ({ grade, cuts, overrides }) => {
      const acceptedCuts = cuts.filter(({ status }) => status === 'Accepted')
      const cutFor = new Set(acceptedCuts.map(({ orderId }) => orderId))
      const orders = known.orders.filter(({ orderId }) => cutFor.has(orderId))
      return judge(completeFacts({ ...known, grade, acceptedCuts, orders, overrides }))
    },
  }
}

function judgedCertificate(
  { facts, status, assignments, documents }: Certificate,
  catalogue: TagCatalogue,
): JudgedCertificate {
  const { millCertificationId, standard, grade, deliveryCondition, zQuality } = facts
  const { inspectionDocument, profile, productForm, thicknessMm, widthMm } = facts
  return {
    millCertificationId,
    standard,
    grade,
    deliveryCondition,
    zQuality,
    inspectionDocument,
    profile,
    productForm,
    thicknessMm,
    widthMm,
    status,
    tags: activeTags(catalogue, assignments).tags,
    notJudged: notJudgedOf(assignments.byRules),
    documents: listedDocuments(documents),
  }
}

function judgedOrder({ facts, assignments }: RegisteredOrder, catalogue: TagCatalogue): JudgedOrder {
  const { orderId, orderNumber, requiredInspectionDocument, executionClass, lineItems } = facts
  return {
    orderId,
    orderNumber,
    requiredInspectionDocument,
    executionClass,
    lineItems,
    tags: activeTags(catalogue, assignments).tags,
  }
}

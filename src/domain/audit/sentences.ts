import type { aggregates } from '../aggregates.ts'
import type { AskedOverride, KeptFinding, KeptJudgement } from '../bars/barEvents.ts'
import { certificateFields } from '../certificates/certificateContent.ts'
import {
  type CertificateStatus,
  certificateTransitions,
  statusAfterCorrection,
} from '../certificates/certificateStatus.ts'
import type { Change } from '../kernel/changes.ts'
import { pick } from '../kernel/fields.ts'
import { orderFields } from '../orders/orderContent.ts'
import { addedBy, notEvaluatedIds } from '../rulePacks/ruleAssignments.ts'
import { severities, tagFields } from '../tags/tag.ts'
import { judgedByInWords } from '../verdict/judgedBy.ts'

/**
 * Every event in plain words, for the people who read a history. A sentence never names its author: histories show the
 * author beside it, by a name that can be erased.
 */

/** Stands for the name of the member whom a sentence is about. Readers fill it in, because the name can be erased. */
export const memberPlace = '{member}'

/** Every event of this release, in the newest version of its type. */
type AnyEvent = Parameters<(typeof aggregates)[number]['evolve']>[1]
type Type = AnyEvent['type']
type Data<T extends Type> = Extract<AnyEvent, { readonly type: T }>['data']
/** An event as far as a sentence needs it: its type and its data. */
export type AuditedEvent<T extends Type = Type> = {
  [One in T]: { readonly type: One; readonly data: Data<One> }
}[T]

/** Facts from before an event that the event does not repeat. */
export interface StateBefore {
  /** The names of tags as they were then, by their ids. */
  readonly tagNames: ReadonlyMap<string, string>
  /** The numbers of certificates, by their ids. */
  readonly certificateNumbers: ReadonlyMap<string, string>
  /** The status of the certificate that the event is about; undefined for any other event. */
  readonly certificateStatus?: CertificateStatus | undefined
}

/** Return what happened, in one sentence or two. */
export function sentenceOf(event: AuditedEvent, before: StateBefore): string {
  const tell = sentences[event.type] as (data: AuditedEvent['data'], before: StateBefore) => string
  return tell(event.data, before)
}

/** Return the sentence of an event that this release cannot read. */
export function sentenceOfUnknown(type: string): string {
  return `An event of the type "${type}" was recorded, which this release does not know.`
}

/** Return the values that the event changed; none for an event whose sentence says everything. */
export function changesIn(event: AuditedEvent, before: StateBefore): readonly Change[] {
  const list = changes[event.type] as
    | ((data: AuditedEvent['data'], before: StateBefore) => Change[])
    | undefined
  return list?.(event.data, before) ?? []
}

/** The type checker names an event type that has no sentence. */
const sentences: { readonly [T in Type]: (data: Data<T>, before: StateBefore) => string } = {
  TagCreated: ({ name, severity }) =>
    `Tag "${name}" was created${severity === null ? '' : ` with the severity ${severity}`}.`,
  TagUpdated: ({ name, changes }) => `Tag "${name}" was changed: ${fieldsOf(changes)}.`,
  TagSoftDeleted: ({ name }) => `Tag "${name}" was deleted.`,
  TagRestored: ({ name }) => `Tag "${name}" was restored.`,
  RulePackSubscribed: ({ name, version }) => `The company subscribed to version ${version} of ${name}.`,
  RulePackUpgraded: ({ name, version, fromVersion }) =>
    `The company moved from version ${fromVersion} to version ${version} of ${name}.`,
  RulePackUnsubscribed: ({ name }) => `The company unsubscribed from ${name}.`,
  OwnRulePackAdded: ({ name }) => `The company added its own rule pack ${name}.`,
  OwnRulePackWithdrawn: ({ name }) => `The company deleted its own rule pack ${name}.`,
  RulePackDefined: ({ name, version }) => `Version ${version} of the own rule pack ${name} was written.`,

  MillCertificateRegistered: ({ certificateNumber, heatNumber }) =>
    `Certificate ${certificateNumber} of heat ${heatNumber} was registered.`,
  MillCertificateCorrected: ({ certificateNumber, changes }, { certificateStatus = 'Received' }) =>
    `Certificate ${certificateNumber} was corrected: ${fieldsOf(changes)}.${
      statusAfterCorrection(certificateStatus, changes) === certificateStatus
        ? ''
        : ' Its release was taken back.'
    }`,
  CertificateReleased: ({ note }) => `The certificate was released.${saying('Note', note)}`,
  CertificateRejected: ({ reason }) => `The certificate was rejected.${saying('Reason', reason)}`,
  CertificateReopened: ({ reason }) => `The certificate was reopened.${saying('Reason', reason)}`,
  CertificateVoided: ({ reason, replacedBy }, before) => {
    const replaced = replacedBy === null ? '' : ` and replaced by ${certificateName(replacedBy, before)}`
    return `The certificate was voided${replaced}.${saying('Reason', reason)}`
  },
  CertificateReinstated: ({ reason }) => `The certificate was reinstated.${saying('Reason', reason)}`,
  DocumentAttached: ({ fileName, sha256 }) => `The document "${fileName}" (SHA-256 ${sha256}) was attached.`,
  DocumentDetached: ({ fileName, sha256 }) => `The document "${fileName}" (SHA-256 ${sha256}) was detached.`,
  DocumentStored: ({ fileName, bytes, sha256 }) =>
    `The document "${fileName}" was stored: ${counted(bytes, 'byte')}, SHA-256 ${sha256}.`,
  DocumentDeleted: ({ fileName, sha256 }) => `The document "${fileName}" (SHA-256 ${sha256}) was deleted.`,
  ManualAssignmentsReplaced: ({ added, removed }, before) =>
    `By hand, ${tagsMoved({ added, removed }, before)}.`,
  RuleAssignmentsReplaced: ({ name, version, ...data }, before) => {
    const unsure = notEvaluatedIds(data).length
    return `Version ${version} of ${name} judged it: ${tagsMoved(movedByRules(data), before)}.${
      unsure === 0 ? '' : ` ${counted(unsure, 'rule')} could not be evaluated for want of values.`
    }`
  },

  OrderRegistered: ({ orderNumber, lineItems }) =>
    `Order ${orderNumber} was registered with ${counted(lineItems.length, 'line')}.`,
  OrderCorrected: ({ orderNumber, changes }) => `Order ${orderNumber} was corrected: ${fieldsOf(changes)}.`,
  OrderDispatched: ({ reference, date, cuts, override, overridden = [], gaps = 0 }) => {
    const took = `Dispatch ${reference} of ${date} took ${counted(cuts.length, 'piece')}`
    if (!override) return `${took}.`
    const stood = [
      ...(gaps > 0 ? [`${counted(gaps, 'gap')} in their traceability.`] : []),
      ...overridden.map(({ message }) => message),
    ].join(' ')
    const said = `${saying('Reason', override.reason)}${saying('Reference', override.reference)}`
    return `${took}, although the pieces were not cleared: ${stood}${said}`
  },
  PackIssued: ({ fileName, sha256, cleared }) =>
    `The pack "${fileName}" (SHA-256 ${sha256}) was issued${cleared ? '' : ', although the order was not cleared'}.`,

  ProductionPlanCreated: ({ name, barIds }) =>
    `Production plan "${name}" was created with ${counted(barIds.length, 'bar')}.`,
  BarsPlanned: ({ barIds }) => `The production plan got ${counted(barIds.length, 'bar')}.`,
  BarOpened: ({ stockLengthMm, grade, cuts }) =>
    `The bar was planned: ${stockLengthMm} mm of ${grade} with ${counted(cuts.length, 'cut')}.`,
  BarApproved: ({ override, ...judgement }) =>
    `The bar was approved${judged(judgement)}${
      override ? ` in spite of ${covered(override, judgement.findings)}` : '.'
    }`,
  BarApprovalWithdrawn: (judgement) =>
    `The approval was withdrawn${judged(judgement)}: ${messagesOf(judgement.findings)}`,
  FindingsOverridden: ({ overridden, ...override }) => `An override covers ${covered(override, overridden)}`,
  BarCertificateSet: (
    { millCertificationId, formerMillCertificationId, reason = null, ...judgement },
    before,
  ) => {
    const move = certificateMove(formerMillCertificationId, millCertificationId, before)
    return `The bar ${move}${judged(judgement)}.${saying('Reason', reason)}`
  },
  BarHeatRead: ({ heatNumber, reason = null }) =>
    heatNumber === null
      ? 'The heat number that was read off the steel was taken back.'
      : `Heat ${heatNumber} was read off the steel.${saying('Reason', reason)}`,
  BarStarted: () => 'The bar was started.',
  BarCompleted: ({ uncovered = [], markTransferred, reason = null }) =>
    [
      'The bar was completed',
      ...(markTransferred ? [', and the mark of the heat was transferred'] : []),
      ...(uncovered.length > 0 ? [` in spite of ${counted(uncovered.length, 'Block finding')}`] : []),
      `.${saying('Reason', reason)}`,
    ].join(''),
  BarReverted: ({ from, to, reason, ...judgement }) =>
    `The bar was taken back from ${from} to ${to}${judged(judgement)}.${saying('Reason', reason)}`,
  BarCancelled: ({ reason }) => `The bar was cancelled.${saying('Reason', reason)}`,
  CutScrapped: ({ cutId, reason }) => `Cut ${cutId} was scrapped.${saying('Reason', reason)}`,
  RemnantTaken: ({ takenBy, stockLengthMm }) =>
    `The remnant became the stock of bar ${takenBy.barId}, which is ${stockLengthMm} mm long.`,
  CutStatusChanged: ({ cutId, from, to, ...judgement }) =>
    `Cut ${cutId} was ${from} and became ${to}${judged(judgement)}.`,

  FilterProfileSaved: ({ name }) => `Filter profile "${name}" was saved.`,
  FilterProfileUpdated: ({ name }) => `Filter profile "${name}" was changed.`,
  FilterProfileSoftDeleted: ({ name }) => `Filter profile "${name}" was deleted.`,

  CompanyRegistered: ({ name }) => `The company "${name}" was registered.`,
  MemberRolesSet: ({ roles }) => `Member ${memberPlace} got the roles ${roles.join(', ')}.`,
  MemberRemoved: ({ keepsKeys }) =>
    `Member ${memberPlace} was removed${keepsKeys ? ', and the API keys of the account were kept' : ''}.`,
  MemberKeysNarrowed: ({ keyIds, roles }) =>
    `The roles of ${counted(keyIds.length, 'API key')} of member ${memberPlace} were ${cutTo(roles)}.`,
  PersonErased: () => `The name of ${memberPlace} was erased.`,
  ReleasePolicySet: ({ changes }) => `The release policy was changed: ${fieldsOf(changes)}.`,
  CompanySettingsSet: ({ changes }) => `The settings were changed: ${fieldsOf(changes)}.`,

  ApiKeyCreated: ({ label }) => `API key "${label}" was created.`,
  ApiKeysRolled: ({ label }) => `API key "${label}" was created in place of all earlier keys.`,
  ApiKeyNarrowed: ({ keyId, companyId, roles }) =>
    `The roles of API key ${keyId} in company ${companyId} were ${cutTo(roles)}.`,
  ApiKeyDeleted: ({ keyId }) => `API key ${keyId} was deleted.`,
}

const changes: { readonly [T in Type]?: (data: Data<T>, before: StateBefore) => readonly Change[] } = {
  TagCreated: (data) => setFrom(pick(tagFields, data)),
  TagUpdated: ({ changes }) => changes,
  TagSoftDeleted: () => [{ field: 'active', from: true, to: false }],
  TagRestored: () => [{ field: 'active', from: false, to: true }],

  MillCertificateRegistered: (data) => setFrom(pick(certificateFields, data)),
  MillCertificateCorrected: ({ changes }, { certificateStatus = 'Received' }) => [
    ...changes,
    ...moved('status', certificateStatus, statusAfterCorrection(certificateStatus, changes)),
  ],
  CertificateReleased: ({ note }, before) => decided('CertificateReleased', before, { note }),
  CertificateRejected: ({ reason }, before) => decided('CertificateRejected', before, { reason }),
  CertificateReopened: ({ reason }, before) => decided('CertificateReopened', before, { reason }),
  CertificateVoided: ({ reason, replacedBy }, before) =>
    decided('CertificateVoided', before, { reason, replacedBy }),
  CertificateReinstated: ({ reason }, before) => decided('CertificateReinstated', before, { reason }),
  DocumentAttached: ({ documentId, fileName, sha256 }) => [
    { field: 'documents', from: null, to: { documentId, fileName, sha256 } },
  ],
  DocumentDetached: ({ documentId, fileName, sha256 }) => [
    { field: 'documents', from: { documentId, fileName, sha256 }, to: null },
  ],
  ManualAssignmentsReplaced: tagChanges,
  RuleAssignmentsReplaced: (data, before) => tagChanges(movedByRules(data), before),

  OrderRegistered: (data) => setFrom(pick(orderFields, data)),
  OrderCorrected: ({ changes }) => changes,

  OrderDispatched: ({ dispatchId, date, reference, cuts, override = null }) =>
    setFrom({ dispatch: { dispatchId, date, reference, cutIds: cuts.map(({ cutId }) => cutId) }, override }),

  BarOpened: ({ stockLengthMm, grade, millCertificationId, fromBarId, heatRead, cuts }) =>
    setFrom({
      stockLengthMm,
      grade,
      millCertificationId,
      fromBarId,
      heatRead: heatRead?.heatNumber ?? null,
      cuts,
    }),
  BarApproved: ({ override, findings }) => [
    ...moved('status', 'Draft', 'Approved'),
    ...(override ? setFrom({ override }) : []),
    ...listFindings(findings),
  ],
  BarApprovalWithdrawn: ({ findings }) => [
    ...moved('status', 'Approved', 'Draft'),
    ...listFindings(findings),
  ],
  FindingsOverridden: ({ findings, reason, reference }) =>
    setFrom({ override: { findings, reason, reference } }),
  BarCertificateSet: ({ formerMillCertificationId, millCertificationId, reason = null, findings }) => [
    ...moved('millCertificationId', formerMillCertificationId, millCertificationId),
    ...setFrom({ reason }),
    ...listFindings(findings),
  ],
  BarHeatRead: ({ formerHeatNumber, heatNumber, reason = null }) => [
    ...moved('heatRead', formerHeatNumber, heatNumber),
    ...setFrom({ reason }),
  ],
  BarStarted: () => moved('status', 'Approved', 'Started'),
  BarCompleted: ({ uncovered, markTransferred = null, reason }) => [
    ...moved('status', 'Started', 'Completed'),
    ...setFrom({ markTransferred }),
    ...setFrom({ reason }),
    ...listFindings(uncovered),
  ],
  BarReverted: ({ from, to, reason, findings }) => [
    ...moved('status', from, to),
    ...setFrom({ reason }),
    ...listFindings(findings),
  ],
  BarCancelled: ({ from, reason }) => [...moved('status', from, 'Cancelled'), ...setFrom({ reason })],
  CutScrapped: ({ cutId, reason }) => [
    ...moved(`cuts/${cutId}/status`, 'Accepted', 'Scrapped'),
    ...setFrom({ reason }),
  ],
  CutStatusChanged: ({ cutId, from, to, findings }) => [
    ...moved(`cuts/${cutId}/status`, from, to),
    ...listFindings(findings),
  ],

  MemberRolesSet: ({ roles }) => setFrom({ roles }),
  ReleasePolicySet: ({ changes }) => changes,
  CompanySettingsSet: ({ changes }) => changes,
}

function moved(field: string, from: unknown, to: unknown): Change[] {
  return from === to ? [] : [{ field, from, to }]
}

/** Return values that were absent before as changes from null. Leave out values that are still null. */
function setFrom(values: object): Change[] {
  return Object.entries(values)
    .filter(([, to]) => to !== null)
    .map(([field, to]) => ({ field, from: null, to }))
}

/** The findings of a judgement. Their ids are in the event. */
function listFindings(findings: readonly KeptFinding[] = []): Change[] {
  if (findings.length === 0) return []
  return setFrom({
    findings: findings.map(({ severity, code, message }) => ({ severity, code, message })),
  })
}

function decided(
  type: keyof typeof certificateTransitions,
  { certificateStatus = 'Received' }: StateBefore,
  said: object,
): Change[] {
  return [...moved('status', certificateStatus, certificateTransitions[type].to), ...setFrom(said)]
}

function movedByRules(
  data: Pick<Data<'RuleAssignmentsReplaced'>, 'matched' | 'added' | 'removed'>,
): MovedTags {
  return { added: addedBy(data), removed: data.removed }
}

type MovedTags = Readonly<Record<'added' | 'removed', readonly { readonly tagId: string }[]>>

function tagChanges({ added, removed }: MovedTags, { tagNames }: StateBefore): Change[] {
  const tag = ({ tagId }: { tagId: string }) => ({ tagId, name: tagNames.get(tagId) ?? null })
  return [
    ...added.map((one) => ({ field: 'tags', from: null, to: tag(one) })),
    ...removed.map((one) => ({ field: 'tags', from: tag(one), to: null })),
  ]
}

/** "the tag "Hold" was put on, and the tags "A" and "B" were taken off". */
function tagsMoved({ added, removed }: MovedTags, { tagNames }: StateBefore): string {
  const names = (tags: MovedTags['added']) => [
    ...new Set(tags.map(({ tagId }) => `"${tagNames.get(tagId) ?? tagId}"`)),
  ]
  const parts = [
    { tags: names(added), done: 'put on' },
    { tags: names(removed), done: 'taken off' },
  ]
    .filter(({ tags }) => tags.length > 0)
    .map(({ tags, done }) =>
      tags.length === 1 ? `the tag ${tags[0]} was ${done}` : `the tags ${tags.join(', ')} were ${done}`,
    )
  return parts.length === 0 ? 'no tag was put on or taken off' : parts.join(', and ')
}

function certificateMove(from: string | null, to: string | null, before: StateBefore): string {
  const [former, present] = [from, to].map((id) => id && certificateName(id, before))
  if (!present) return `has no certificate any more; it had ${former}`
  return former ? `got ${present} in place of ${former}` : `got ${present}`
}

function certificateName(id: string, { certificateNumbers }: StateBefore): string {
  return `certificate ${certificateNumbers.get(id) ?? id}`
}

/** @param known the findings of that moment */
function covered(
  { findings: keys, reason, reference }: AskedOverride,
  known: readonly KeptFinding[],
): string {
  const messages = messagesOf(known.filter(({ key }) => keys.includes(key)))
  return `${counted(keys.length, 'finding')}: ${messages}${saying('Reason', reason)}${saying('Reference', reference)}`
}

/** " (1 Block, 2 Flag; verdict 1, steel grades 1)"; nothing when the bar was not judged. */
function judged({ findings, judgedBy }: Partial<KeptJudgement>): string {
  if (!findings || !judgedBy) return ''
  const counts = severities.flatMap((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length
    return count === 0 ? [] : [`${count} ${severity}`]
  })
  return ` (${counts.join(', ') || 'no findings'}; ${judgedByInWords(judgedBy)})`
}

function messagesOf(findings: readonly KeptFinding[]): string {
  return findings.map(({ message }) => message).join(' ')
}

/** The most fields that a sentence names: a longer list would hide the rest of the sentence. */
const mostFields = 8

function fieldsOf(changes: readonly Change[]): string {
  const fields = changes.map(({ field }) => field)
  const more = fields.length - mostFields
  return more > 0 ? `${fields.slice(0, mostFields).join(', ')} and ${more} more` : fields.join(', ')
}

function saying(what: string, words: string | null): string {
  return words === null ? '' : ` ${what}: ${words}`
}

function cutTo(roles: readonly string[]): string {
  return roles.length === 0 ? 'taken away' : `cut to ${roles.join(', ')}`
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

import type { EventType } from './aggregates.ts'
import type { BarReverted, CutStatusChanged } from './bars/barEvents.ts'
import type { CompanySettingsSet, MemberRolesSet, ReleasePolicySet } from './company/company.ts'
import type { Change } from './kernel/changes.ts'
import type { DomainEvent } from './kernel/event.ts'
import type { ManualAssignmentsReplaced } from './tags/assignments.ts'
import { type Severity, severities } from './tags/tag.ts'

/**
 * How the bound of a day applies to each type of event. An event that makes steel less cuttable or takes rights away is
 * never refused: it waits for no midnight. It can only go one way, and a bounded event leads back, so nobody can record it
 * without end. Facts of the floor may repeat, so they have a reserve.
 */
export type Bound =
  /** Never refused. */
  | 'none'
  /** Refused at twice the bound. */
  | 'reserve'
  /** Refused at the bound. */
  | 'day'
  /** Also refused when what rule packs have recorded is at the bound: the event lets them judge again. */
  | 'rules'

const bounds: { readonly [Type in EventType]: Bound | ((data: never) => Bound) } = {
  // Steel is less cuttable than before.
  CertificateRejected: 'none',
  CertificateVoided: 'none',
  BarApprovalWithdrawn: 'none',
  BarCancelled: 'none',
  CutScrapped: 'none',
  TagRestored: 'none',
  ManualAssignmentsReplaced: ({ added, removed }: ManualAssignmentsReplaced['data']) =>
    added.length > 0 && removed.length === 0 ? 'none' : 'day',
  TagUpdated: ({ changes }: { readonly changes: readonly Change[] }) =>
    changes.some((change) => change.field === 'severity' && isRaised(change)) ? 'none' : 'day',
  ReleasePolicySet: ({ changes }: ReleasePolicySet['data']) => (changes.every(isStricter) ? 'none' : 'day'),
  CutStatusChanged: ({ from, to }: CutStatusChanged['data']) =>
    to === 'Rejected' || from === 'Accepted' ? 'none' : 'day',
  BarReverted: ({ to }: BarReverted['data']) => (to === 'Draft' ? 'none' : 'reserve'),

  // Somebody may do less than before, or something is taken away.
  MemberRemoved: 'none',
  MemberKeysNarrowed: 'none',
  MemberRolesSet: ({ roles, formerRoles }: MemberRolesSet['data']) =>
    roles.every((role) => formerRoles.includes(role)) ? 'none' : 'day',
  CompanySettingsSet: ({ changes }: CompanySettingsSet['data']) =>
    changes.every(isNarrower) ? 'none' : 'day',
  PersonErased: 'none',
  DocumentDetached: 'none',
  DocumentDeleted: 'none',
  ApiKeyDeleted: 'none',
  ApiKeyNarrowed: 'none',

  // Facts of the floor: the heat of the steel, and that it is cut and gone.
  BarHeatRead: 'reserve',
  BarCertificateSet: 'reserve',
  BarStarted: 'reserve',
  BarCompleted: 'reserve',
  OrderDispatched: 'reserve',

  // Rule packs judge again.
  MillCertificateRegistered: 'rules',
  MillCertificateCorrected: 'rules',
  OrderRegistered: 'rules',
  OrderCorrected: 'rules',
  RulePackSubscribed: 'rules',
  RulePackUpgraded: 'rules',
  RulePackUnsubscribed: 'rules',

  // All else begins, allows or describes something. An existing Block tag, a rejection or a revert stops it meanwhile.
  TagCreated: 'day',
  TagSoftDeleted: 'day',
  RuleAssignmentsReplaced: 'day',
  CertificateReleased: 'day',
  CertificateReopened: 'day',
  CertificateReinstated: 'day',
  DocumentStored: 'day',
  DocumentAttached: 'day',
  PackIssued: 'day',
  ProductionPlanCreated: 'day',
  BarsPlanned: 'day',
  BarOpened: 'day',
  BarApproved: 'day',
  FindingsOverridden: 'day',
  RemnantTaken: 'day',
  FilterProfileSaved: 'day',
  FilterProfileUpdated: 'day',
  FilterProfileSoftDeleted: 'day',
  OwnRulePackAdded: 'day',
  OwnRulePackWithdrawn: 'day',
  RulePackDefined: 'day',
  CompanyRegistered: 'day',
  ApiKeyCreated: 'day',
  ApiKeysRolled: 'day',
}

/**
 * Events that come with a stop are recorded with it. But a subscription restores the tags of its pack: it stops nothing
 * by itself, and what it lets rule packs record is bounded.
 */
const inPrecedence: readonly Bound[] = ['rules', 'none', 'reserve', 'day']

/** Return the bound of a decision. */
export function boundOf(events: readonly DomainEvent[]): Bound {
  const found = new Set(events.map(boundOfEvent))
  return inPrecedence.find((bound) => found.has(bound))!
}

export function boundOfEvent({ type, data }: DomainEvent): Bound {
  const bound = bounds[type as EventType]
  return typeof bound === 'function' ? bound(data as never) : bound
}

function isRaised({ from, to }: Change): boolean {
  return rankOf(to) > rankOf(from)
}

/** The rank of a severity; -1 for none. */
function rankOf(severity: unknown): number {
  return severities.toReversed().indexOf(severity as Severity)
}

/** Whether the change of a release policy lets less steel be cut, whatever the policy says elsewhere. */
function isStricter(change: Change): boolean {
  const { field, from, to } = change
  if (field === 'fourEyes' || field === 'qualityOnly') return to === true
  return field.includes('/') && (to === 'Block' || (from !== null && to !== null && isRaised(change)))
}

/** Whether the change of the settings lets keys, sessions or requests do less. */
function isNarrower({ field, from, to }: Change): boolean {
  if (field === 'requireIfMatch') return to === true
  return typeof to === 'number' && to < Number(from ?? Number.POSITIVE_INFINITY)
}

import type { EventType } from './aggregates.ts'
import type { DomainEvent } from './kernel/event.ts'

/**
 * Events that stop something or take it away, and the facts of the floor: which heat a bar has, and that it is cut. No
 * bound of size refuses them. Each follows another event that a bound does refuse.
 */
const stopping: ReadonlySet<string> = new Set<EventType>([
  'CertificateRejected',
  'CertificateVoided',
  'BarHeatRead',
  'BarCertificateSet',
  'BarApprovalWithdrawn',
  'BarStarted',
  'BarCompleted',
  'BarReverted',
  'BarCancelled',
  'CutScrapped',
  'DocumentDetached',
  'DocumentDeleted',
  'OwnRulePackWithdrawn',
  'MemberRemoved',
  'MemberKeysRevoked',
  'PersonErased',
])

export function isStopping({ type }: Pick<DomainEvent, 'type'>): boolean {
  return stopping.has(type)
}

import type { EventType } from './aggregates.ts'
import type { DomainEvent } from './kernel/event.ts'

/**
 * Events that stop something or take it away. No bound of size refuses them. Each ends what another event has begun that
 * a bound does refuse, so nobody can record them without end.
 */
const stopping: ReadonlySet<string> = new Set<EventType>([
  'CertificateRejected',
  'CertificateVoided',
  'BarApprovalWithdrawn',
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

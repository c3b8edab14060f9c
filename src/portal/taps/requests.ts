import { call, type Reply } from '../api/client.ts'
import type { Tap } from './taps.ts'

/** Milliseconds after which a request that nobody answers counts as lost. */
const lostAfterMs = 10_000

/** Send a tap with its key, on this condition (If-Match). @throws ApiProblem, NoConnection */
export function sendTap(
  { key, userId, companyId, barId, act, performedAt }: Tap,
  ifMatch: string,
): Promise<Reply<unknown>> {
  const params = { companyId, barId }
  const options = { kept: { key, userId }, ifMatch, signal: AbortSignal.timeout(lostAfterMs) }
  switch (act.kind) {
    case 'start':
      return call('startProductionPlanBar', { params, body: { performedAt }, ...options })
    case 'complete':
      return call('completeProductionPlanBar', {
        params,
        body: { performedAt, ...(act.markTransferred && { markTransferred: true }) },
        ...options,
      })
    case 'heat':
      return call('setBarCertificate', {
        params,
        body: { heatNumber: act.heatNumber, performedAt },
        ...options,
      })
    case 'certificate':
      return call('setBarCertificate', {
        params,
        body: { millCertificationId: act.millCertificationId, performedAt },
        ...options,
      })
    case 'takeBack':
      return call('revertProductionPlanBar', {
        params,
        body: { to: act.to, reason: act.reason, performedAt },
        ...options,
      })
  }
}

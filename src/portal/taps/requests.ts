import { call } from '../api/client.ts'
import { ApiProblem } from '../api/problem.ts'
import { TapRefused } from './sending.ts'
import type { Tap } from './taps.ts'

/** The request of each tap. */

/** Milliseconds after which a request that nobody answers counts as lost. */
const lostAfterMs = 10_000

/** Statuses of answers that decide nothing about the tap. The same request may succeed later. */
const passing = [401, 408, 425, 429]

/** @throws TapRefused, or another error if it is not known what became of the tap */
export async function sendTap(tap: Tap): Promise<void> {
  try {
    await request(tap)
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error
    const { problem } = error
    if (problem.status >= 500 || passing.includes(problem.status)) throw error
    throw new TapRefused(problem)
  }
}

function request({ key, userId, companyId, barId, act, performedAt }: Tap): Promise<unknown> {
  const params = { companyId, barId }
  const kept = { kept: { key, userId }, signal: AbortSignal.timeout(lostAfterMs) }
  switch (act.kind) {
    case 'start':
      return call('startProductionPlanBar', { params, body: { performedAt }, ...kept })
    case 'complete':
      return call('completeProductionPlanBar', { params, body: { performedAt }, ...kept })
    case 'heat':
      return call('setBarCertificate', {
        params,
        body: { heatNumber: act.heatNumber, performedAt },
        ...kept,
      })
    case 'certificate':
      return call('setBarCertificate', {
        params,
        body: { millCertificationId: act.millCertificationId, performedAt },
        ...kept,
      })
    case 'takeBack':
      return call('revertProductionPlanBar', {
        params,
        body: { to: act.to, reason: act.reason, performedAt },
        ...kept,
      })
  }
}

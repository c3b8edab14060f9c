import { createKey } from './callers.ts'
import type { LoadResult } from './commandLoad.ts'
import type { PacedGetTask } from './pacedGetLoad.ts'
import { runLoad, startPeer, startService } from './processes.ts'
import { type Figure, median } from './report.ts'

/**
 * Measures GETs by an API key, alone and beside a thousand calls a second of `/health/ready`. The calls use part of
 * the machine. The same calls to another server show how much of the slowdown comes from that.
 */

const section = 'readiness'
const getsPerSecond = 200
const callsPerSecond = 1_000
/** Short and many: what others do on the machine comes and goes. */
const seconds = 3
const rounds = 15

export async function readiness(): Promise<Figure[]> {
  const service = await startService()
  const other = await startPeer('constantBytes.ts', { BYTES: '20' })
  try {
    const key = await createKey(service, await service.token('viewer'))
    const list = `${service.url}/api/company/${service.dev.companyId}/millcert-tags`
    const gets = { url: list, headers: { 'service-api-key': key }, perSecond: getsPerSecond, seconds }
    const calls = { headers: {}, perSecond: callsPerSecond, seconds }
    const ready = `${service.url}/health/ready`
    const load = (task: PacedGetTask) => runLoad<LoadResult>('pacedGetLoad.ts', task)
    const alone: LoadResult[] = []
    const besideOther: LoadResult[] = []
    const beside: LoadResult[] = []
    const paces: number[] = []
    await load(gets)
    for (let round = 0; round < rounds; round++) {
      alone.push(await load(gets))
      const [gotBesideOther] = await Promise.all([load(gets), load({ ...calls, url: other.url })])
      besideOther.push(gotBesideOther)
      const [got, called] = await Promise.all([load(gets), load({ ...calls, url: ready })])
      beside.push(got)
      paces.push(called.perSecond)
    }
    const failed = [...alone, ...besideOther, ...beside].reduce((sum, result) => sum + result.failed, 0)
    if (failed > 0) throw new Error(`${failed} requests failed`)
    const p99 = (results: readonly LoadResult[]) => median(results.map(({ p99Ms }) => p99Ms))
    const ratio = (results: readonly LoadResult[]) =>
      median(results.map(({ p99Ms }, round) => p99Ms / alone[round]!.p99Ms))
    return [
      { section, what: `GET by an API key, ${getsPerSecond}/s, p99`, value: p99(alone), unit: 'ms' },
      {
        section,
        what: 'the same beside such calls to another server, p99',
        value: p99(besideOther),
        unit: 'ms',
        ratio: { to: 'alone', value: ratio(besideOther) },
      },
      {
        section,
        what: `the same beside ${Math.round(median(paces))} /health/ready a second, p99`,
        value: p99(beside),
        unit: 'ms',
        ratio: {
          to: 'alone',
          value: ratio(beside),
          most: 2,
        },
      },
    ]
  } finally {
    await Promise.all([service.stop(), other.stop()])
  }
}

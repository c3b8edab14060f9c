import { setTimeout as pause } from 'node:timers/promises'
import { evaluationOf, registerMany, settled } from './manyCertificates.ts'
import { residentMiB, withService } from './processes.ts'
import type { Figure } from './report.ts'

/**
 * A company with many certificates subscribes to a rule pack. Measures subjects evaluated a second, and the memory of
 * the service, which runs HTTP, projector and policy in one process.
 */

const section = 'subscription'
const certificates = 50_000
const pack = 'en10025-2-mechanical'
const lookEveryMs = 500

export function subscription(): Promise<Figure[]> {
  return withService(async (service) => {
    await registerMany(service, certificates)
    await settled(service)
    const company = `${service.url}/api/company/${service.dev.companyId}`
    const headers = { authorization: `Bearer ${await service.token('admin')}` }
    const before = residentMiB(service.pid)
    const memory: number[] = []

    const began = performance.now()
    const subscribed = await fetch(`${company}/rule-packs/${pack}/subscribe`, { method: 'POST', headers })
    if (!subscribed.ok) throw new Error(`subscribing: ${subscribed.status} ${await subscribed.text()}`)
    let evaluation = await evaluationOf(company, headers, pack)
    while (evaluation.status !== 'done') {
      await pause(lookEveryMs)
      memory.push(residentMiB(service.pid))
      evaluation = await evaluationOf(company, headers, pack)
    }
    const seconds = (performance.now() - began) / 1_000
    if (evaluation.done < certificates) throw new Error(`${evaluation.done} of ${certificates} evaluated`)

    const third = Math.ceil(memory.length / 3)
    const first = Math.max(...memory.slice(0, third))
    const last = Math.max(...memory.slice(-third))
    const figure = (what: string, value: number, unit: string): Figure => ({ section, what, value, unit })
    return [
      figure(`${pack}, ${certificates} certificates`, evaluation.done / seconds, 'subjects/s'),
      figure('service process, before', before, 'MiB'),
      figure('service process, the most in the first third', first, 'MiB'),
      {
        ...figure('service process, the most in the last third', last, 'MiB'),
        ratio: { to: 'first third', value: last / first },
      },
      figure('service process, after', residentMiB(service.pid), 'MiB'),
    ]
  })
}

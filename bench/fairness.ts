import { setTimeout as pause } from 'node:timers/promises'
import { packTemplate } from '../src/portal/screens/rulePacks/packTemplate.ts'
import { evaluationOf, registerMany, settled } from './manyCertificates.ts'
import { withService } from './processes.ts'
import { type Figure, median } from './report.ts'
import { send } from './request.ts'

/**
 * A company with 200,000 certificates subscribes to a rule pack. Meanwhile a small company, which has a rule pack of its
 * own, registers certificates one after the other. Measures how long each waits for the tag of that pack, and by how
 * much longer than alone.
 */

const section = 'fairness'
const certificates = 200_000
const pack = 'en10025-2-mechanical'
const samplesAlone = 20
const samplesBeside = 60
const pauseMs = 500
const lookEveryMs = 20
const mostDelayMs = 2_000

export function fairness(): Promise<Figure[]> {
  return withService(async (service) => {
    await registerMany(service, certificates)
    await settled(service)
    const { companyId, otherCompanyId } = service.dev
    const small = `${service.url}/api/company/${otherCompanyId}`
    const token = await service.token('outsider')
    const { id } = JSON.parse(packTemplate)
    await send(`${small}/rule-packs`, token, 'POST', JSON.parse(packTemplate))
    await send(`${small}/rule-packs/${id}/subscribe`, token, 'POST', {})
    const alone = await tagged(small, token, samplesAlone, 'ALONE')

    const large = `${service.url}/api/company/${companyId}`
    const admin = await service.token('admin')
    await send(`${large}/rule-packs/${pack}/subscribe`, admin, 'POST', {})
    const beside = await tagged(small, token, samplesBeside, 'BESIDE')
    const { done, status } = await evaluationOf(large, { authorization: `Bearer ${admin}` }, pack)
    if (status === 'done') throw new Error('the large company was evaluated before the last sample')

    const usual = median(alone)
    const most = Math.max(...beside)
    const figure = (what: string, value: number): Figure => ({ section, what, value, unit: 'ms' })
    return [
      figure('from a registration to the tag of an own pack, alone, p50', usual),
      figure('the same, alone, the most', Math.max(...alone)),
      figure(`beside ${certificates} certificates (${done} evaluated at the end), p50`, median(beside)),
      figure('the same, the most', most),
      {
        ...figure('delay, the most', most - usual),
        ratio: { to: `${mostDelayMs} ms`, value: (most - usual) / mostDelayMs, most: 1 },
      },
    ]
  })
}

/** Register certificates that the own pack tags, and return how long each waited for its tag, in ms. */
async function tagged(company: string, token: string, samples: number, name: string): Promise<number[]> {
  const headers = { authorization: `Bearer ${token}` }
  const delays: number[] = []
  for (let n = 0; n < samples; n += 1) {
    const began = performance.now()
    const { millCertificationId } = await send(`${company}/millcert/certificates`, token, 'POST', {
      certificateNumber: `${name}-${n}`,
      heatNumber: 'H 1',
      grade: 'S355J2+N',
      inspectionDocument: '3.1',
      thicknessMm: 100,
    })
    for (;;) {
      const shown = await fetch(`${company}/millcert/certificates/${millCertificationId}`, { headers })
      if (((await shown.json()) as { tags: unknown[] }).tags.length > 0) break
      await pause(lookEveryMs)
    }
    delays.push(performance.now() - began)
    await pause(pauseMs)
  }
  return delays
}

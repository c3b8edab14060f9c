import { randomUUID } from 'node:crypto'
import { noStream } from '../src/stores/eventStore.ts'
import { connectEventStore } from '../src/stores/eventStoreDb/connect.ts'
import { withService } from './processes.ts'
import { createChance } from './replay/chance.ts'
import { type Figure, percentile } from './report.ts'

/** Times proofs of single events from a long log, each signed anew, one after the other. */

const section = 'proofs'
const events = 50_000
const inOneAppend = 500
const warmUp = 50
const asked = 1_000

export function proofs(): Promise<Figure[]> {
  return withService(async (service) => {
    const authorization = `Bearer ${await service.token('platformAdmin')}`
    const companyId = randomUUID()
    const made = await fetch(`${service.url}/api/companies`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ companyId, name: 'Company' }),
    })
    if (made.status !== 201) throw new Error(`the company was not registered: ${await made.text()}`)
    const { ids, position } = await recordEvents(service.dev.eventStoreUrl, companyId)
    const log = `${service.url}/api/company/${companyId}/history/log`
    const get = async (path: string, headers = {}) => {
      const response = await fetch(`${log}/${path}`, { headers: { authorization, ...headers } })
      await response.arrayBuffer()
      return response.status
    }
    while ((await get('checkpoint', { 'min-position': String(position) })) !== 200);
    const chance = createChance(7)
    const times: number[] = []
    for (let n = 0; n < warmUp + asked; n += 1) {
      const began = performance.now()
      const status = await get(`proof/${chance.pick(ids)}`)
      if (status !== 200) throw new Error(`a proof was answered with ${status}`)
      if (n >= warmUp) times.push(performance.now() - began)
    }
    return [0.5, 0.99].map((fraction) => ({
      section,
      what: `a proof from ${events.toLocaleString('en')} events, p${fraction * 100}`,
      value: percentile(times, fraction),
      unit: 'ms',
    }))
  })
}

/** Append events that the log alone knows. Return their ids, and the position of the last one. */
async function recordEvents(url: string, companyId: string): Promise<{ ids: string[]; position: number }> {
  const store = connectEventStore(url)
  const ids: string[] = []
  let [revision, position] = [noStream, 0]
  for (let from = 0; from < events; from += inOneAppend) {
    const some = Array.from({ length: inOneAppend }, (_, n) => ({
      id: randomUUID(),
      type: 'Scanned',
      data: { n: from + n },
      metadata: {} as never,
    }))
    ;({ revision, position } = await store.append(`scans-${companyId}`, revision, some))
    ids.push(...some.map(({ id }) => id))
  }
  await store.close()
  return { ids, position }
}

import type { LoadResult } from './commandLoad.ts'
import type { FloodTask } from './floodLoad.ts'
import type { PacedGetTask } from './pacedGetLoad.ts'
import { type MeasuredService, runLoad, startLoad, withService } from './processes.ts'
import { type Figure, median } from './report.ts'

/**
 * Eight connections of one caller send hostile bodies, one after the other. Measures a GET of another company beside
 * them, and alone in the same round.
 */

const section = 'floods'
const connections = 8
const getsPerSecond = 50
const seconds = 6
const rounds = 3
const most = 5

const repeat = (text: string, count: number) => Array(count).fill(text).join(',')
const cuts = `{"cuts":[${repeat('[]', 200)}]}`

interface Flood extends Pick<FloodTask, 'type' | 'body'> {
  readonly path: string
}

const floods: Readonly<Record<string, Flood>> = {
  'bodies of 0.6 MB with 200,000 empty arrays': plan(repeat('[]', 200_000)),
  'bodies with 49,000 values, all faulty': plan(repeat(cuts, 240)),
  'bulk requests of 20 lines with 20,000 empty arrays each': {
    path: '/orders/bulk',
    type: 'application/x-ndjson',
    body: `{"lineItems":[${repeat('[]', 20_000)}]}\n`.repeat(20),
  },
}

function plan(bars: string): Flood {
  return { path: '/production-plans', type: 'application/json', body: `{"name":"Flood","bars":[${bars}]}` }
}

async function createKey({ url }: MeasuredService, token: string): Promise<string> {
  const response = await fetch(`${url}/api/me/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ label: 'bench' }),
  })
  const { key } = (await response.json()) as { key: string }
  return key
}

export function bodyFloods(): Promise<Figure[]> {
  return withService(async (service) => {
    const { companyId, otherCompanyId } = service.dev
    const key = await createKey(service, await service.token('outsider'))
    const gets: PacedGetTask = {
      url: `${service.url}/api/company/${otherCompanyId}/millcert-tags`,
      headers: { 'service-api-key': key },
      perSecond: getsPerSecond,
      seconds,
    }
    const load = () => runLoad<LoadResult>('pacedGetLoad.ts', gets)
    await load()
    const figures: Figure[] = []
    for (const [name, { path, ...flood }] of Object.entries(floods)) {
      const alone: LoadResult[] = []
      const beside: LoadResult[] = []
      for (let round = 0; round < rounds; round += 1) {
        alone.push(await load())
        const flooding = await startLoad('floodLoad.ts', {
          ...flood,
          connections,
          token: await service.token('admin'),
          url: `${service.url}/api/company/${companyId}${path}`,
        } satisfies FloodTask)
        beside.push(await load())
        await flooding.stop()
      }
      const of = (results: readonly LoadResult[], value: (result: LoadResult) => number) =>
        median(results.map(value))
      const p99 = of(beside, ({ p99Ms }) => p99Ms)
      const figure = (what: string, value: number, unit = 'ms'): Figure => ({ section, what, value, unit })
      figures.push(
        figure(
          'GET of another company alone, p99',
          of(alone, ({ p99Ms }) => p99Ms),
        ),
        figure(
          `beside ${name}, p50`,
          of(beside, ({ p50Ms }) => p50Ms),
        ),
        {
          ...figure('the same, p99', p99),
          ratio: {
            to: 'alone',
            value: median(beside.map(({ p99Ms }, round) => p99Ms / alone[round]!.p99Ms)),
            most,
          },
        },
        figure(
          'the same, refused',
          beside.reduce((sum, { failed }) => sum + failed, 0),
          'requests',
        ),
      )
    }
    return figures
  })
}

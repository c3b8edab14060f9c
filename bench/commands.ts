import { randomUUID } from 'node:crypto'
import type { AppendTask } from './appendLoad.ts'
import type { CommandTask, LoadResult } from './commandLoad.ts'
import { type MeasuredService, residentMiB, runLoad, withService } from './processes.ts'
import { type Figure, median } from './report.ts'

/** Compares tag updates over 64 companies, answered when the rows show them, with appends of the bare client. */

const section = 'commands'
const companies = 64
const seconds = 4
const rounds = 3

/** Creates a tag in each of 64 companies, all by one caller. */
export async function prepareTags({
  url,
  token,
}: Pick<MeasuredService, 'url' | 'token'>): Promise<{ urls: string[]; bearer: string }> {
  const bearer = await token('platformAdmin')
  const post = async (path: string, body: object) => {
    const response = await fetch(`${url}/api${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as { tagId: string }
  }
  const urls: string[] = []
  for (let n = 0; n < companies; n++) {
    const companyId = randomUUID()
    await post('/companies', { companyId, name: `Company ${n}` })
    const { tagId } = await post(`/company/${companyId}/millcert-tags`, { name: 'Tag', color: '#1f77b4' })
    urls.push(`${url}/api/company/${companyId}/millcert-tags/${tagId}`)
  }
  return { urls, bearer }
}

export function commands(): Promise<Figure[]> {
  return withService(async (service) => {
    const { urls, bearer } = await prepareTags(service)
    const figures: Figure[] = []
    for (const inFlight of [1, 8, 64]) {
      const ours: LoadResult[] = []
      const bare: LoadResult[] = []
      for (let round = 0; round < rounds; round++) {
        const load = { inFlight, seconds }
        bare.push(
          await runLoad('appendLoad.ts', { ...load, url: service.dev.eventStoreUrl } satisfies AppendTask),
        )
        ours.push(await runLoad('commandLoad.ts', { ...load, urls, token: bearer } satisfies CommandTask))
      }
      const failed = [...ours, ...bare].reduce((sum, result) => sum + result.failed, 0)
      if (failed > 0) throw new Error(`${failed} commands failed or were pending`)
      const of = (results: LoadResult[], pick: (result: LoadResult) => number) => median(results.map(pick))
      const ratio = median(ours.map(({ perSecond }, round) => perSecond / bare[round]!.perSecond))
      figures.push(
        {
          section,
          what: `bare appends, ${inFlight} in flight`,
          value: of(bare, ({ perSecond }) => perSecond),
          unit: 'appends/s',
        },
        {
          section,
          what: `tag updates, ${inFlight} in flight`,
          value: of(ours, ({ perSecond }) => perSecond),
          unit: 'commands/s',
          ratio: { to: 'bare appends', value: ratio, ...(inFlight === 64 && { aim: 0.3 }) },
        },
        {
          section,
          what: `tag updates, ${inFlight} in flight, p50`,
          value: of(ours, ({ p50Ms }) => p50Ms),
          unit: 'ms',
        },
        {
          section,
          what: `tag updates, ${inFlight} in flight, p99`,
          value: of(ours, ({ p99Ms }) => p99Ms),
          unit: 'ms',
        },
      )
    }
    return [
      ...figures,
      { section, what: 'service process, after', value: residentMiB(service.pid), unit: 'MiB' },
    ]
  })
}

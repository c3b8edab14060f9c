import { findReadModels, openStores } from '../../src/cli/heatmark/stores.ts'
import type { CommandTask, LoadResult } from '../commandLoad.ts'
import { runLoad, startService } from '../processes.ts'
import type { Figure } from '../report.ts'
import { prepareTags } from '../tags.ts'
import type { LagResult, LagTask } from './lagLoad.ts'

/** Measures the lag of read models, and the time of commands that wait for them, at steady rates. */

const section = 'live'
const seconds = 10
const rates = [100, 500]

export async function lag(): Promise<Figure[]> {
  const service = await startService()
  try {
    const { eventStoreUrl, databaseUrl } = service.dev
    const stores = openStores({ eventStoreUrl, databaseUrl })
    const { schema } = await findReadModels(stores)
    await stores.close()
    const { urls, bearer } = await prepareTags(service)
    const figures: Figure[] = []
    const tags = urls.map((url) => {
      const [companyId, , tagId] = url.split('/').slice(-3) as [string, string, string]
      return { companyId, tagId, revision: 0 }
    })
    for (const perSecond of rates) {
      const lagging: LagTask = { eventStoreUrl, databaseUrl, schema, tags, perSecond, seconds }
      const { p50Ms, p99Ms, events } = await runLoad<LagResult>('replay/lagLoad.ts', lagging)
      for (let turn = 0; turn < events; turn++) tags[turn % tags.length]!.revision += 1
      figures.push(...timed(`from append to visible row, ${perSecond} appends/s`, { p50Ms, p99Ms }))
    }
    const paced: CommandTask = { urls, token: bearer, inFlight: urls.length, seconds, perSecond: rates[0]! }
    // The first requests of a process are slow, so they are not measured.
    await runLoad<LoadResult>('commandLoad.ts', { ...paced, seconds: 2 })
    for (const perSecond of rates) {
      const result = await runLoad<LoadResult>('commandLoad.ts', { ...paced, perSecond })
      if (result.failed > 0) throw new Error(`${result.failed} commands failed or were pending`)
      figures.push(...timed(`command until its answer, ${perSecond} commands/s`, result))
    }
    return figures
  } finally {
    await service.stop()
  }
}

function timed(what: string, { p50Ms, p99Ms }: { p50Ms: number; p99Ms: number }): Figure[] {
  return [
    { section, what: `${what}, p50`, value: p50Ms, unit: 'ms' },
    { section, what: `${what}, p99`, value: p99Ms, unit: 'ms' },
  ]
}

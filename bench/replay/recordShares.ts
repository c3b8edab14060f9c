import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../../src/embedded/postgres.ts'
import { runLoad, startNode } from '../processes.ts'
import { type Figure, median } from '../report.ts'
import { historyFile } from './historyFile.ts'
import { type LeftOut, type Prepared, prepareReadModels, type Worked } from './stage.ts'

/** Compares rebuilds of all read models with rebuilds without the log, and without former rows. */

const section = 'record'
const rounds = 3
/** Bound for the section to take a few minutes. */
const mostEvents = 100_000

interface Kind {
  readonly leftOut?: LeftOut
  readonly models: Prepared
  readonly times: number[]
}

export async function recordShares(asked: number): Promise<Figure[]> {
  const events = Math.min(asked, mostEvents)
  const file = await historyFile(events)
  const folder = mkdtempSync(join(tmpdir(), 'heatmark-bench-'))
  const node = await startNode(file)
  const postgres = await startPostgres({ dataDir: folder })
  try {
    const kindOf = async (leftOut?: LeftOut): Promise<Kind> => {
      const models = await prepareReadModels(node.url, postgres.url, undefined, leftOut)
      await runLoad<Worked>('replay/followLoad.ts', models)
      return { ...(leftOut && { leftOut }), models, times: [] }
    }
    const all = await kindOf()
    const less = [await kindOf('log'), await kindOf('former rows')]
    for (let round = 0; round < rounds; round += 1)
      for (const { models, times } of [all, ...less])
        times.push((await runLoad<Worked>('replay/rebuildLoad.ts', models)).milliseconds / 1_000)
    const what = `rebuild of ${events.toLocaleString('en')} events`
    const value = median(all.times)
    return less.map(({ leftOut, times }) => ({
      section,
      what: `${what}, beside one without ${leftOut}`,
      value,
      unit: 's',
      ratio: { to: 'without', value: value / median(times), most: leftOut === 'log' ? 1.15 : 1.25 },
    }))
  } finally {
    await node.stop()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

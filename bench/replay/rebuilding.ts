import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../../src/embedded/postgres.ts'
import { runLoad, startNode } from '../processes.ts'
import type { ReadResult, ReadTask } from '../readLoad.ts'
import { type Figure, median } from '../report.ts'
import { historyFile } from './historyFile.ts'
import { databaseBytes, prepareReadModels, type Worked } from './stage.ts'

/** Compares a rebuild of all read models with a client that only reads. */

const section = 'replay'
const rounds = 3

export async function rebuilding(events: number): Promise<Figure[]> {
  console.error(`writing ${events} events, unless an earlier run left them …`)
  const file = await historyFile(events)
  const folder = mkdtempSync(join(tmpdir(), 'heatmark-bench-'))
  const node = await startNode(file)
  const postgres = await startPostgres({ dataDir: folder })
  try {
    const models = await prepareReadModels(node.url, postgres.url)
    const empty = await databaseBytes(postgres.url)
    const followed = await runLoad<Worked>('replay/followLoad.ts', models)
    const filled = await databaseBytes(postgres.url)
    const read: ReadResult[] = []
    const rebuilt: Worked[] = []
    for (let round = 0; round < rounds; round++) {
      read.push(await runLoad<ReadResult>('readLoad.ts', { url: node.url } satisfies ReadTask))
      rebuilt.push(await runLoad<Worked>('replay/rebuildLoad.ts', models))
    }

    const what = `of ${events.toLocaleString('en')} events`
    const ratio = median(rebuilt.map((one, round) => perSecond(one) / perSecond(read[round]!)))
    return [
      { section, what: `reading ${what}`, value: median(read.map(perSecond)), unit: 'events/s' },
      {
        section,
        what: `rebuild of all ${what}`,
        value: median(rebuilt.map(perSecond)),
        unit: 'events/s',
        ratio: { to: 'reading', value: ratio, aim: 0.27 },
      },
      {
        section,
        what: `rebuild of all ${what}: memory at most`,
        unit: 'MiB',
        value: Math.max(...rebuilt.map(({ peakMiB }) => peakMiB)),
      },
      {
        section,
        what: `live projector from the first ${what}`,
        value: perSecond(followed),
        unit: 'events/s',
      },
      { section, what: `event store, an event ${what}`, value: statSync(file).size / events, unit: 'bytes' },
      { section, what: `read models, an event ${what}`, value: (filled - empty) / events, unit: 'bytes' },
    ]
  } finally {
    await node.stop()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function perSecond({ events, milliseconds }: { events: number; milliseconds: number }) {
  return (events * 1_000) / milliseconds
}

import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jsonEvent } from '@eventstore/db-client'
import { openClient } from '../src/stores/eventStoreDb/client.ts'
import type { AppendTask } from './appendLoad.ts'
import type { LoadResult } from './commandLoad.ts'
import { residentMiB, runLoad, startNode, startPeer } from './processes.ts'
import type { ReadResult, ReadTask } from './readLoad.ts'
import { type Figure, median } from './report.ts'

/**
 * Compares the local event store node with a bare @grpc/grpc-js server that answers from memory, and with one that waits
 * for the disk as the node does.
 */

const section = 'local node'
const seconds = 4
const rounds = 3
const longStream = 10_000
const aim = 0.6

const data = {
  companyId: randomUUID(),
  family: 'millCert',
  tagId: randomUUID(),
  name: 'Tag',
  color: '#1f77b4',
}

const metadata = { actor: { id: randomUUID(), name: 'Edith Editor', kind: 'application' }, schemaVersion: 1 }

export async function node(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'heatmark-bench-'))
  const local = await startNode(join(folder, 'events.sqlite'))
  const stops: (() => Promise<void>)[] = [local.stop]
  try {
    const idleMiB = residentMiB(local.pid)
    const figures: Figure[] = []
    const taker = await startPeer('memoryNode.ts')
    stops.push(taker.stop)
    const syncing = await startPeer('memoryNode.ts', { SYNCED: join(folder, 'synced') })
    stops.push(syncing.stop)
    for (const inFlight of [1, 64]) {
      const ours: LoadResult[] = []
      const bare: LoadResult[] = []
      const synced: LoadResult[] = []
      for (let round = 0; round < rounds; round++) {
        bare.push(await runLoad('appendLoad.ts', { url: taker.url, inFlight, seconds } satisfies AppendTask))
        synced.push(
          await runLoad('appendLoad.ts', { url: syncing.url, inFlight, seconds } satisfies AppendTask),
        )
        ours.push(await runLoad('appendLoad.ts', { url: local.url, inFlight, seconds } satisfies AppendTask))
      }
      const speeds = (results: LoadResult[]) => results.map((result) => result.perSecond)
      const what = `appends, ${inFlight} in flight`
      figures.push(
        { section, what: `bare server: ${what}`, value: median(speeds(bare)), unit: 'appends/s' },
        ...beside('bare server that syncs', what, 'appends/s', speeds(ours), speeds(synced)),
        {
          section,
          what: `append, ${inFlight} in flight, p50`,
          value: median(ours.map(({ p50Ms }) => p50Ms)),
          unit: 'ms',
        },
      )
    }

    const stream = `bench-long-${randomUUID()}`
    await fillStream(local.url, stream, longStream)
    const read = (task: ReadTask) => runLoad<ReadResult>('readLoad.ts', task)
    const { events } = await read({ url: local.url })
    const giver = await startPeer('memoryNode.ts', {
      EVENTS: String(events),
      DATA: JSON.stringify(data),
      METADATA: JSON.stringify(metadata),
    })
    stops.push(giver.stop)
    const ours: ReadResult[] = []
    const bare: ReadResult[] = []
    for (let round = 0; round < rounds; round++) {
      bare.push(await read({ url: giver.url }))
      ours.push(await read({ url: local.url }))
    }
    const cold = await read({ url: local.url, stream })
    return [
      ...figures,
      ...beside(
        'bare server',
        'catch-up over the appended events',
        'events/s',
        ours.map(perSecond),
        bare.map(perSecond),
      ),
      {
        section,
        what: `cold load of a stream of ${cold.events} events`,
        value: cold.milliseconds,
        unit: 'ms',
      },
      { section, what: 'node process, idle', value: idleMiB, unit: 'MiB' },
      { section, what: 'node process, after', value: residentMiB(local.pid), unit: 'MiB' },
    ]
  } finally {
    for (const stop of stops.reverse()) await stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function perSecond({ events, milliseconds }: ReadResult): number {
  return (events * 1_000) / milliseconds
}

/** Return the medians of both, and the median of their ratios in each round. */
function beside(
  peer: string,
  what: string,
  unit: string,
  ours: readonly number[],
  bare: readonly number[],
): Figure[] {
  return [
    { section, what: `${peer}: ${what}`, value: median(bare), unit },
    {
      section,
      what,
      value: median(ours),
      unit,
      ratio: { to: peer, value: median(ours.map((value, round) => value / bare[round]!)), aim },
    },
  ]
}

async function fillStream(url: string, stream: string, count: number): Promise<void> {
  const client = openClient(url)
  const portion = 500
  for (let n = 0; n < count; n += portion)
    await client.appendToStream(
      stream,
      Array.from({ length: portion }, () => jsonEvent({ type: 'BenchTagUpdated', data, metadata })),
    )
  await client.dispose()
}

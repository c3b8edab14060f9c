import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { catalogueStream } from '../../src/domain/tags/tagCatalogue.ts'
import { startPostgres } from '../../src/embedded/postgres.ts'
import { noStream } from '../../src/stores/eventStore.ts'
import { connectEventStore } from '../../src/stores/eventStoreDb/connect.ts'
import { runLoad, startLoad, startNode } from '../processes.ts'
import { type Figure, median } from '../report.ts'
import type { LagResult, LagTask } from './lagLoad.ts'
import { type LeftOut, prepareReadModels } from './stage.ts'

/** Compares the lag of a live projector with the lag of one without the log, and of one without former rows. */

const section = 'record'
const rounds = 3
const seconds = 10
const perSecond = 100
const companies = 16

export async function recordLag(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'heatmark-bench-'))
  const node = await startNode(join(folder, 'events.sqlite'))
  const postgres = await startPostgres({ dataDir: folder })
  try {
    const tags = await createTags(node.url)
    const kinds: readonly (LeftOut | undefined)[] = [undefined, 'log', 'former rows']
    const models = await Promise.all(
      kinds.map((leftOut) => prepareReadModels(node.url, postgres.url, undefined, leftOut)),
    )
    const lags: number[][] = kinds.map(() => [])
    for (let round = 0; round < rounds; round += 1)
      for (const [kind, prepared] of models.entries()) {
        const projector = await startLoad('replay/projectLoad.ts', prepared)
        const { schema } = prepared
        const task: LagTask = {
          eventStoreUrl: node.url,
          databaseUrl: postgres.url,
          schema,
          tags,
          perSecond,
          seconds,
        }
        const { p50Ms, events } = await runLoad<LagResult>('replay/lagLoad.ts', task)
        for (let turn = 0; turn < events; turn += 1) tags[turn % tags.length]!.revision += 1
        await projector.stop()
        lags[kind]!.push(p50Ms)
      }
    const [value, ...less] = lags.map(median) as [number, ...number[]]
    return less.map((without, index) => ({
      section,
      what: `from append to visible row, p50, beside one without ${kinds[index + 1]}`,
      value,
      unit: 'ms',
      ratio: { to: 'without', value: value / without, most: 1.15 },
    }))
  } finally {
    await node.stop()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Record one tag for each company. */
async function createTags(url: string): Promise<{ companyId: string; tagId: string; revision: number }[]> {
  const store = connectEventStore(url)
  const tags = Array.from({ length: companies }, () => ({
    companyId: randomUUID(),
    tagId: randomUUID(),
    revision: 0,
  }))
  for (const { companyId, tagId } of tags)
    await store.append(catalogueStream(companyId), noStream, [
      {
        id: randomUUID(),
        type: 'TagCreated',
        data: {
          companyId,
          family: 'millCert',
          tagId,
          isSystemTag: false,
          name: 'Tag',
          color: '#1f77b4',
          description: null,
          severity: 'Flag',
        },
        metadata: {
          actor: { id: 'bench', name: '', kind: 'application' },
          occurredAt: new Date().toISOString(),
          correlationId: randomUUID(),
          schemaVersion: 1,
        },
      },
    ])
  await store.close()
  return tags
}

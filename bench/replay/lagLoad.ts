import { randomUUID } from 'node:crypto'
import { catalogueStream } from '../../src/domain/tags/tagCatalogue.ts'
import { decodeNotice } from '../../src/projections/engine/projector/notice.ts'
import { connectEventStore } from '../../src/stores/eventStoreDb/connect.ts'
import { listen } from '../../src/stores/postgres/notifications.ts'
import { atRate } from '../pace.ts'
import { readTask } from '../processes.ts'
import { percentile } from '../report.ts'

/** Appends tag updates at a steady rate, and times from each acknowledgement to the commit of its rows. */

export interface LagTask {
  readonly eventStoreUrl: string
  readonly databaseUrl: string
  readonly schema: string
  /** One tag for each company, with the last revision of the company's catalogue. */
  readonly tags: readonly { readonly companyId: string; readonly tagId: string; readonly revision: number }[]
  readonly perSecond: number
  readonly seconds: number
}

export interface LagResult {
  readonly events: number
  readonly p50Ms: number
  readonly p99Ms: number
}

const { eventStoreUrl, databaseUrl, schema, tags, perSecond, seconds } = await readTask<LagTask>()
const store = connectEventStore(eventStoreUrl)
const listening = Promise.withResolvers<void>()
const allSeen = Promise.withResolvers<void>()
const lags: number[] = []
/** Times of acknowledgement, by position. */
const unseen = new Map<number, number>()
let visibleTo = 0

const notifications = listen({
  url: databaseUrl,
  channel: schema,
  onListening: listening.resolve,
  onPayload(payload) {
    const now = performance.now()
    visibleTo = Math.max(visibleTo, decodeNotice(payload)?.to ?? 0)
    for (const [position, acknowledged] of unseen)
      if (position <= visibleTo) see(position, now - acknowledged)
  },
})
await listening.promise

const lanes = tags.map((tag) => ({ ...tag, turn: Promise.resolve() }))

await atRate({ perSecond, seconds }, (turn) => {
  const lane = lanes[turn % lanes.length]!
  lane.turn = lane.turn.then(() => update(lane, turn))
  return lane.turn
})
await allSeen.promise
await notifications.close()
const result: LagResult = { events: lags.length, p50Ms: percentile(lags, 0.5), p99Ms: percentile(lags, 0.99) }
process.stdout.write(JSON.stringify(result), () => process.exit())

function see(position: number, lag: number) {
  unseen.delete(position)
  lags.push(lag)
  if (lags.length === perSecond * seconds) allSeen.resolve()
}

async function update(lane: (typeof lanes)[number], turn: number): Promise<void> {
  const { companyId, tagId } = lane
  const name = `Tag ${turn}`
  const { revision, position } = await store.append(catalogueStream(companyId), lane.revision, [
    {
      id: randomUUID(),
      type: 'TagUpdated',
      data: {
        companyId,
        family: 'millCert',
        tagId,
        name,
        color: '#1f77b4',
        description: null,
        severity: 'Flag',
        changes: [{ field: 'name', from: 'Tag', to: name }],
      },
      metadata: {
        actor: { id: 'bench', name: 'Bench', kind: 'application' },
        occurredAt: new Date().toISOString(),
        correlationId: randomUUID(),
        schemaVersion: 1,
      },
    },
  ])
  lane.revision = revision
  // The rows may be committed before the append is acknowledged.
  if (position <= visibleTo) see(position, 0)
  else unseen.set(position, performance.now())
}

import { expect, test } from 'vitest'
import type { Recorded } from '../../../../src/domain/kernel/event.ts'
import { clock } from '../../../../src/lib/clocks.ts'
import { idempotency } from '../../../../src/projections/engine/idempotency.ts'
import { verify } from '../../../../src/projections/engine/operations/verify.ts'
import type { EventStore } from '../../../../src/stores/eventStore.ts'
import { until } from '../../../support/until.ts'
import { metadata, type SampleEvent } from '../../samples.ts'
import { setStage } from '../../stage.ts'

const hourMs = 3_600_000

/** The store, as if it had recorded each event when that occurred. */
const recordedInTime = (store: EventStore): EventStore => {
  const inTime = (event: Recorded): Recorded => ({ ...event, created: event.metadata.occurredAt })
  return {
    ...store,
    async *subscribe(position, signal) {
      for await (const event of store.subscribe(position, signal)) yield inTime(event)
    },
    async *readAllInPortions(position) {
      for await (const portion of store.readAllInPortions(position)) yield portion.map(inTime)
    },
  }
}

test('deletes keys whose retention has passed, and verify reports no difference', async () => {
  const stage = await setStage([idempotency])
  const used = (key: string, hoursAgo: number) =>
    ({
      type: 'TagSoftDeleted',
      data: {},
      metadata: {
        ...metadata(),
        occurredAt: new Date(Date.now() - hoursAgo * hourMs).toISOString(),
        idempotency: { key, caller: 'alice', request: 'DELETE /', requestHash: 'aa' },
      },
    }) as unknown as SampleEvent
  const { position } = await stage.append(used('old', 26), used('of today', 23), used('new', 0))
  // Looks are a minute apart.
  let later = 0
  const eventStore = recordedInTime(stage.eventStore)
  const projector = stage.project({ eventStore, now: () => new Date(Date.now() + later) })
  await until(async () => (await stage.state('idempotency')).position === position)
  const keys = async () => {
    const { idempotencyKey } = (await stage.rows(idempotency)) as Record<string, Map<string, { key: string }>>
    return [...idempotencyKey!.values()].map(({ key }) => key).toSorted()
  }
  await until(async () => {
    later += 60_000
    return (await keys()).length < 3
  })
  expect(await keys()).toEqual(['new', 'of today'])

  const { postgres, readModels } = stage
  const found = await verify({ eventStore, postgres, readModels, clock })
  expect(found).toMatchObject({ differenceCount: 0, events: 4 })
  await projector.stop()
  await stage.close()
})

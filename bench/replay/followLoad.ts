import { randomUUID } from 'node:crypto'
import { clock, now } from '../../src/lib/clocks.ts'
import { startProjector } from '../../src/projections/engine/projector/projector.ts'
import { createIntake } from '../../src/stores/subscription/intake.ts'
import { perform } from './stage.ts'

/** Brings empty read models to the end of the store, as the live projector of a new release does. */
await perform(async (stage) => {
  const { position: end } = (await stage.eventStore.last())!
  let events = 0
  const { promise: atTheEnd, resolve } = Promise.withResolvers<void>()
  const projector = startProjector({
    ...stage,
    intake: createIntake({ ...stage, clock }),
    owner: randomUUID(),
    now,
    clock,
    observe: {
      batch(count, _milliseconds, last) {
        events += count
        if (last.position >= end) resolve()
      },
      condition: (message) => console.error(message),
    },
  })
  await atTheEnd
  await projector.stop()
  return events
})

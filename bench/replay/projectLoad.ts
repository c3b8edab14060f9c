import { randomUUID } from 'node:crypto'
import { clock, now } from '../../src/lib/clocks.ts'
import { startProjector } from '../../src/projections/engine/projector/projector.ts'
import { createIntake } from '../../src/stores/subscription/intake.ts'
import { perform } from './stage.ts'

/** Projects until it is stopped. It prints a line once it has the events that were there when it began. */
await perform(async (stage) => {
  const { position: end } = (await stage.eventStore.last())!
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>()
  process.once('SIGTERM', stop)
  let events = 0
  let isReady = false
  const projector = startProjector({
    ...stage,
    intake: createIntake({ ...stage, clock }),
    owner: randomUUID(),
    now,
    clock,
    observe: {
      batch(count, _milliseconds, last) {
        events += count
        if (isReady || last.position < end) return
        isReady = true
        console.log('ready')
      },
      condition: (message) => console.error(message),
    },
  })
  await stopped
  await projector.stop()
  return events
})

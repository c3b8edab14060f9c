import { clock } from '../../src/lib/clocks.ts'
import { rebuild } from '../../src/projections/engine/operations/rebuild.ts'
import { perform } from './stage.ts'

/** Rebuilds the read models, as `heatmark projections rebuild` does. */
await perform(async (stage) => {
  const { events } = await rebuild({ ...stage, clock })
  return events
})

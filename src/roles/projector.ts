import { startProjector } from '../projections/projector/projector.ts'
import type { Runtime } from './runtime.ts'
import type { Stores } from './stores.ts'

const queryTimeoutMs = 30_000

/**
 * The projector's statements find each row by its key, so one plan by the key's index is right for any number of keys and
 * rows. PostgreSQL would plan each execution again, which takes longer than the execution. It would also keep a plan that
 * reads a whole table while the table is small.
 */
const planByKeyOnce = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
}

/** Start the role `projector`: of all processes that have it, one projects. */
export function startProjecting(
  { log, metrics, now, clock, newId, shutdown }: Runtime,
  { eventStore, readModels, positions, openPool }: Stores,
): void {
  const projector = startProjector({
    ...{ eventStore, readModels, now, clock },
    postgres: openPool('projector', { queryTimeoutMs, settings: planByKeyOnce }),
    owner: newId(),
    onNotice: positions.hear,
    observe: {
      ...metrics.projector,
      stopped: (projection, code, message) =>
        log.error({ projection, code }, `projection stopped: ${message}`),
      condition: (message) => log.warn(`projector: ${message}`),
    },
  })
  shutdown.add('projector', () => projector.stop())
}

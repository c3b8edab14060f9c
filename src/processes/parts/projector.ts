import { passOverFaults } from '../../projections/engine/operations/skip.ts'
import { startProjector } from '../../projections/engine/projector/projector.ts'
import { planByKeyOnce } from '../../projections/engine/schema/sql.ts'
import type { Runtime } from './runtime.ts'
import type { Stores } from './stores.ts'

const queryTimeoutMs = 30_000

/** Start the process role `projector`: of all processes that have it, one projects. */
export function startProjecting(
  { log, metrics, now, clock, newId, shutdown }: Runtime,
  { eventStore, intake, readModels, positions, openPool, renewals }: Stores,
): void {
  const postgres = openPool('projector', { queryTimeoutMs, settings: planByKeyOnce })
  const projector = startProjector({
    eventStore,
    intake,
    readModels,
    now,
    clock,
    postgres,
    renewals,
    passOverFaults: () => passOverFaults({ eventStore, postgres, readModels }),
    owner: newId(),
    onNotice: positions.hear,
    observe: {
      ...metrics.projector,
      onStopped: (projection, code, message) =>
        log.error({ projection, code }, `projection stopped: ${message}`),
      condition: (message) => log.warn(`projector: ${message}`),
    },
  })
  shutdown.add('projector', () => projector.stop())
}

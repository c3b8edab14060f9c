import { projections } from '../projections/all.ts'
import { startProjector } from '../projections/projector/projector.ts'
import type { Runtime } from './runtime.ts'
import type { Stores } from './stores.ts'

const queryTimeoutMs = 30_000

/** Start the role `projector`: of all processes that have it, one projects. */
export function startProjecting(
  { log, metrics, now, newId, shutdown }: Runtime,
  { eventStore, schema, openPool }: Stores,
): void {
  const projector = startProjector({
    ...{ eventStore, schema, projections, now },
    postgres: openPool('projector', { queryTimeoutMs }),
    owner: newId(),
    observe: {
      ...metrics.projector,
      stopped: (projection, code, message) =>
        log.error({ projection, code }, `projection stopped: ${message}`),
      trouble: (message) => log.warn(`projector: ${message}`),
    },
  })
  shutdown.add('projector', () => projector.stop())
}

import { projections } from '../projections/all.ts'
import { startProjector } from '../projections/projector/projector.ts'
import type { Ground } from './ground.ts'

const queryTimeoutMs = 30_000

/** The role `projector`: of all processes that have it, one projects. */
export const startProjecting = (ground: Ground): void => {
  const { closing, log, metrics, newId, poolFor } = ground
  const projector = startProjector({
    ...ground,
    postgres: poolFor('projector', { queryTimeoutMs }),
    projections,
    owner: newId(),
    observe: {
      ...metrics.projector,
      stopped: (projection, code, message) =>
        log.error({ projection, code }, `projection stopped: ${message}`),
      trouble: (message) => log.warn(`projector: ${message}`),
    },
  })
  closing.push(() => projector.stop())
}

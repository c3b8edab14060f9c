import { startRuleTagging } from '../policies/ruleTagging.ts'
import type { Ground } from './ground.ts'

const queryTimeoutMs = 30_000

/** The role `policies`: of all processes that have it, one reacts to events. */
export const startPolicies = (ground: Ground): void => {
  const { closing, log, metrics, newId, poolFor } = ground
  const policy = startRuleTagging({
    ...ground,
    postgres: poolFor('policies', { queryTimeoutMs }),
    owner: newId(),
    observe: { ...metrics.ruleTagging, trouble: (message) => log.warn(`rule packs: ${message}`) },
  })
  closing.push(() => policy.stop())
}

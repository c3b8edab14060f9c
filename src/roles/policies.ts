import { startPolicy } from '../policies/host.ts'
import type { Policy } from '../policies/policy.ts'
import { ruleTagging } from '../policies/ruleTagging.ts'
import type { Postgres } from '../postgres.ts'
import type { Ground } from './ground.ts'

const queryTimeoutMs = 30_000

/** The role `policies`: of all processes that have it, one at a time runs each policy. */
export function startPolicies(ground: Ground): void {
  start(ground, (postgres, trouble) =>
    ruleTagging({
      ...ground,
      execute: ground.executor.execute,
      postgres,
      observe: { ...ground.metrics.ruleTagging, trouble },
    }),
  )
}

type CreatePolicy = (postgres: Postgres, trouble: (message: string) => void) => Policy

function start(ground: Ground, create: CreatePolicy): void {
  const { closing, log, metrics, newId, poolFor } = ground
  const postgres = poolFor('policies', { queryTimeoutMs })
  const trouble = (message: string) => log.warn(`policy ${policy.name}: ${message}`)
  const policy = create(postgres, trouble)
  const observe = { ...metrics.policy(policy.name), trouble }
  const running = startPolicy(policy, { ...ground, postgres, owner: newId(), observe })
  closing.push(() => running.stop())
}

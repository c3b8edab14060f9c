import type { Executor } from '../commands/command.ts'
import { startPolicy } from '../policies/host.ts'
import type { Policy } from '../policies/policy.ts'
import { ruleTagging } from '../policies/ruleTagging.ts'
import type { Postgres } from '../postgres.ts'
import type { Runtime } from './runtime.ts'
import type { Stores } from './stores.ts'

const queryTimeoutMs = 30_000

/** Start the role `policies`: of all processes that have it, one at a time runs each policy. */
export function startPolicies(runtime: Runtime, stores: Stores, { execute }: Executor): void {
  const { newId, metrics } = runtime
  const { eventStore, positions } = stores
  start(runtime, stores, (postgres, trouble) =>
    ruleTagging({
      ...{ eventStore, postgres, positions, execute, newId },
      observe: { ...metrics.ruleTagging, trouble },
    }),
  )
}

type CreatePolicy = (postgres: Postgres, trouble: (message: string) => void) => Policy

function start(
  { log, metrics, newId, shutdown }: Runtime,
  { eventStore, storeId, positions, reader, openPool }: Stores,
  create: CreatePolicy,
): void {
  const postgres = openPool('policies', { queryTimeoutMs })
  const trouble = (message: string) => log.warn(`policy ${policy.name}: ${message}`)
  const policy = create(postgres, trouble)
  const running = startPolicy(policy, {
    ...{ eventStore, postgres, reader, positions, storeId },
    owner: newId(),
    observe: { ...metrics.policy(policy.name), trouble },
  })
  shutdown.add(`policy ${policy.name}`, () => running.stop())
}

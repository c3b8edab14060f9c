import type { Executor } from '../commands/command.ts'
import { startPolicy } from '../policies/host.ts'
import { ruleTagging, ruleTaggingName } from '../policies/ruleTagging.ts'
import type { Runtime } from './runtime.ts'
import type { Stores } from './stores.ts'

const queryTimeoutMs = 30_000

/** Start the role `policies`: of all processes that have it, one at a time runs each policy. */
export function startPolicies(
  { log, metrics, clock, newId, shutdown }: Runtime,
  { eventStore, storeId, positions, reader, openPool }: Stores,
  { execute }: Executor,
): void {
  const name = `policy ${ruleTaggingName}`
  const postgres = openPool('policies', { queryTimeoutMs })
  const condition = (message: string) => log.warn(`${name}: ${message}`)
  const policy = ruleTagging({
    ...{ eventStore, postgres, positions, execute, newId },
    observe: { ...metrics.ruleTagging, condition },
  })
  const running = startPolicy(policy, {
    ...{ eventStore, postgres, reader, positions, storeId, clock },
    owner: newId(),
    observe: { ...metrics.policy(ruleTaggingName), condition },
  })
  shutdown.add(name, () => running.stop())
}

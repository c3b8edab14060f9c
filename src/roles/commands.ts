import type { Executor } from '../commands/command.ts'
import { createExecutor } from '../commands/execute.ts'
import type { RuleBook } from '../domain/ruleBook.ts'
import { recordInOneHistory } from './oneHistory.ts'
import { recordByRightClock } from './rightClock.ts'
import type { Runtime } from './runtime.ts'
import type { Stores } from './stores.ts'

/** Create the executor of this process. It records nothing in a store that is rewound, or by a wrong clock. */
export function createCommands(
  { config, metrics, now, newId }: Runtime,
  { eventStore, positions }: Stores,
  rules: RuleBook,
): Executor {
  const executor = createExecutor({
    ...{ store: eventStore, now, newId, rules },
    cacheBytes: config.commandCacheBytes,
    onAppend: metrics.appended,
    observeStates: metrics.cache('commands'),
  })
  return recordByRightClock(recordInOneHistory(executor, positions), positions.clockSkew)
}

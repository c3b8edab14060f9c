import type { Executor } from '../commands/command.ts'
import { createExecutor } from '../commands/execute.ts'
import type { Persons } from '../commands/persons.ts'
import type { RuleBook } from '../domain/ruleBook.ts'
import { createPersons } from '../identity/persons.ts'
import { recordInOneHistory } from './oneHistory.ts'
import { recordByRightClock } from './rightClock.ts'
import type { Runtime } from './runtime.ts'
import type { Stores } from './stores.ts'

export interface Commands {
  readonly executor: Executor
  readonly persons: Persons
}

/** Create the executor of this process. It records nothing in a store that is rewound, or by a wrong clock. */
export function createCommands(
  { config, metrics, clock, now, newId }: Runtime,
  { eventStore, requests, readModels, positions }: Stores,
  rules: RuleBook,
): Commands {
  const persons = createPersons({ postgres: requests, readModels, positions, clock })
  const executor = createExecutor({
    ...{ store: eventStore, persons, now, clock, newId, rules },
    cacheBytes: config.commandCacheBytes,
    onAppend: metrics.appended,
    observeStates: metrics.cache('commands'),
  })
  const inOneHistory = recordInOneHistory(executor, { positions, readModels })
  return { executor: recordByRightClock(inOneHistory, positions.clockSkew), persons }
}

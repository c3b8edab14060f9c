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

export interface CommandsOptions extends Pick<Runtime, 'clock' | 'now' | 'newId'> {
  /** Bound of the folded states kept in memory. */
  readonly cacheBytes: number
  readonly metrics?: Runtime['metrics']
}

/** Create the executor of this process. It records nothing in a store that is rewound, or by a wrong clock. */
export function createCommands(
  { cacheBytes, metrics, clock, now, newId }: CommandsOptions,
  {
    eventStore,
    requests,
    readModels,
    positions,
  }: Pick<Stores, 'eventStore' | 'requests' | 'readModels' | 'positions'>,
  rules: RuleBook,
): Commands {
  const persons = createPersons({ postgres: requests, readModels, positions, clock })
  const executor = createExecutor({
    ...{ store: eventStore, persons, now, clock, newId, rules, cacheBytes },
    ...(metrics && { onAppend: metrics.appended }),
    ...(metrics && { observeStates: metrics.cache('commands') }),
  })
  const inOneHistory = recordInOneHistory(executor, { positions, readModels })
  return { executor: recordByRightClock(inOneHistory, positions.clockSkew), persons }
}

import type { Executor } from '../commands/command.ts'
import { createExecutor } from '../commands/execute.ts'
import type { Persons } from '../commands/persons.ts'
import { createSnapshotRows } from '../commands/snapshots/snapshotRows.ts'
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
  readonly log?: Pick<Runtime['log'], 'warn'>
}

/** Create the executor of this process. It records nothing in a store that is rewound, or by a wrong clock. */
export function createCommands(
  { cacheBytes, metrics, log, clock, now, newId }: CommandsOptions,
  {
    eventStore,
    requests,
    readModels,
    positions,
  }: Pick<Stores, 'eventStore' | 'requests' | 'readModels' | 'positions'>,
  rules: RuleBook,
): Commands {
  const persons = createPersons({ postgres: requests, readModels, positions, clock })
  const snapshotFailed = (error: unknown) =>
    log?.warn(`a snapshot of a stream could not be used or kept: ${(error as Error).message}`)
  const executor = createExecutor({
    ...{ store: eventStore, persons, now, clock, newId, rules, cacheBytes },
    ...(metrics && { onAppend: metrics.appended }),
    observeStates: { ...metrics?.cache('commands'), snapshotFailed },
    snapshots: createSnapshotRows(requests, readModels.storeId),
  })
  const inOneHistory = recordInOneHistory(executor, { positions, readModels })
  return { executor: recordByRightClock(inOneHistory, positions.clockSkew), persons }
}

import type { DailyBytes } from '../../admission/dailyBytes.ts'
import type { HearingExecutor } from '../../commands/executor/command.ts'
import { createExecutor } from '../../commands/executor/execute.ts'
import type { Persons } from '../../commands/executor/persons.ts'
import { Refusal } from '../../domain/kernel/refusal.ts'
import type { RuleBook } from '../../domain/rulePacks/ruleBook.ts'
import { createPersons } from '../../identity/persons.ts'
import { differsBy, type Skew, tolerableSkewMs } from '../../stores/postgres/clockSkew.ts'
import { rewoundCode } from '../../stores/subscription/checkpoint.ts'
import type { Runtime } from './runtime.ts'
import type { Stores } from './stores.ts'

export interface Commands {
  readonly executor: HearingExecutor
  readonly persons: Persons
}

interface CommandsOptions extends Pick<Runtime, 'clock' | 'now' | 'newId'> {
  /** Bound of the folded states kept in memory. */
  readonly cacheBytes: number
  readonly metrics?: Runtime['metrics']
  /** The bound of what persons record in a company; none by default. */
  readonly dailyBytes?: DailyBytes
}

/** Create the executor of this process. It records nothing in a store that is rewound, or by a wrong clock. */
export function createCommands(
  { cacheBytes, metrics, dailyBytes, clock, now, newId }: CommandsOptions,
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
    store: eventStore,
    persons,
    now,
    clock,
    newId,
    rules,
    cacheBytes,
    ...(dailyBytes && { dailyBytes }),
    ...(metrics && { onAppend: metrics.observeAppend }),
    ...(metrics && { observeStates: metrics.cache('commands') }),
    refuseToRecord() {
      const skew = positions.clockSkew()
      if (skew && differsBy(tolerableSkewMs, skew)) throw clocksDiffer(skew)
      if (positions.isRewound()) throw rewoundRefusal()
      const shownUpTo = positions.positionOf(readModels.projections)
      // The projector takes a moment to notice that the store is rewound.
      return (position) => {
        if (position <= shownUpTo) throw rewoundRefusal()
      }
    },
  })
  return { executor, persons }
}

/** Nothing is recorded by a wrong clock, because recorded times can never be corrected. */
function clocksDiffer({ ms }: Skew): Refusal {
  const minutes = Math.round(Math.abs(ms) / 60_000)
  const direction = ms < 0 ? 'behind' : 'ahead of'
  return new Refusal(
    'clocks-differ',
    `PostgreSQL's clock is ${minutes} minutes ${direction} this node's, so nothing was recorded. An operator must set both clocks by the same time server.`,
  )
}

/** The history of a rewound store is not the one that the read models show. */
function rewoundRefusal(): Refusal {
  return new Refusal(
    rewoundCode,
    'The event store has lost events that were recorded before. Nothing counts as recorded until an operator has mended that.',
  )
}

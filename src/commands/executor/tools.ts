import type { DailyBytes } from '../../admission/dailyBytes.ts'
import type { RuleBook } from '../../domain/rulePacks/ruleBook.ts'
import type { AppendMeans } from './append.ts'
import type { Persons } from './persons.ts'
import type { States, StatesObserver } from './states.ts'

/** The means that a use case is carried out with. */

export interface ExecutorOptions extends AppendMeans {
  readonly now: () => Date
  readonly newId: () => string
  /** Bound of the folded states kept in memory. */
  readonly cacheBytes: number
  /** Keeps the names of the persons who give commands. */
  readonly persons: Pick<Persons, 'hashOf'>
  /** The rule packs that subjects are evaluated by; none by default. */
  readonly rules?: RuleBook
  /** Called with the time that each append took, in milliseconds, and whether it met a conflict. */
  readonly onAppend?: (milliseconds: number, conflict: boolean) => void
  readonly observeStates?: StatesObserver
  /**
   * Called before an event is recorded. Throws a refusal while this process must record nothing. The function that it
   * returns is given the position of the recorded event, and throws a refusal if no event may be there. By default
   * everything may be recorded.
   */
  readonly refuseToRecord?: () => (position: number) => void
  /** Bounds what persons record in a company, unless it stops something. By default nothing is bounded. */
  readonly dailyBytes?: DailyBytes
}

export interface Tools extends ExecutorOptions {
  readonly rules: RuleBook
  readonly states: States
}

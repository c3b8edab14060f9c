import { isFailure } from '../../../lib/failure.ts'
import type { EventStore } from '../../../stores/eventStore.ts'
import { type Leading, startLeading } from '../../../stores/leading/leading.ts'
import type { Renewals } from '../../../stores/leading/renewals.ts'
import type { Postgres } from '../../../stores/postgres/postgres.ts'
import type { Intake } from '../../../stores/subscription/intake.ts'
import type { ReadModels } from '../schema/readModels.ts'
import { projectorLease } from '../schema/schema.ts'
import { expiredRows } from '../storage/retention.ts'
import { createStatistics } from '../storage/statistics.ts'
import { lead, type ProjectorObserver } from './leader.ts'
import type { Notice } from './notice.ts'
import { retiredTables } from './retired.ts'

/** The live projector. Of all processes that run one, the leader folds, and the others wait for its lease. */

interface ProjectorOptions {
  readonly eventStore: EventStore
  readonly intake: Intake
  /**
   * A pool of its own, of two connections: one writes, one renews the lease. With a query timeout, so that a
   * connection that died without a word is given up.
   */
  readonly postgres: Postgres
  readonly readModels: ReadModels
  /** This process, among all that may lead; never the same twice. */
  readonly owner: string
  readonly now: () => Date
  /** Milliseconds that never run backwards. */
  readonly clock: () => number
  readonly observe?: ProjectorObserver
  /** Renews the lease about once a second, together with the other leases of the process. */
  readonly renewals?: Renewals
  /** Called about once a second while projections have stopped, to let them skip the event if an operator allows it. */
  readonly passOverFaults?: () => Promise<void>
  /** Called with each committed batch, before the notification arrives. */
  readonly onNotice?: (notice: Notice) => void
}

export type { ProjectorObserver } from './leader.ts'

/** Only people can mend a rewound store. */
const afterRewoundMs = 2_000

export function startProjector(options: ProjectorOptions): Leading {
  const { postgres, readModels, owner, now, clock, observe = {}, renewals } = options
  const retired = retiredTables(postgres, readModels, now)
  const expired = expiredRows(postgres, readModels, now)
  const statistics = createStatistics(postgres, readModels, clock)
  return startLeading({
    postgres,
    owner,
    observe,
    leaseName: projectorLease(readModels.schema),
    renewals,
    lead: (term) => lead({ ...options, observe, retired, expired, statistics }, term),
    longPauseAfter: (error) => (isFailure(error, 'event-store-went-back') ? afterRewoundMs : undefined),
  })
}

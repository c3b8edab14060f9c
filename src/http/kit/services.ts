import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import type { Executor } from '../../commands/command.ts'
import type { Membership } from '../../domain/account.ts'
import type { Role } from '../../domain/company.ts'
import type { RuleBook } from '../../domain/ruleBook.ts'
import type { Caller } from '../../identity/caller.ts'
import type { Operations } from '../../projections/operations/operations.ts'
import type { Projection } from '../../projections/projection.ts'
import type { FirstBuild } from '../../projections/reading/firstBuild.ts'
import type { ReadCache } from '../../projections/reading/readCache.ts'
import type { Reader } from '../../projections/reading/reader.ts'
import type { Positions } from '../../projections/reading/waitFor.ts'
import type { InFlight } from './limits/inFlight.ts'

/** What requests are served with: handed in once, as plain objects. */
export interface Services {
  readonly executor: Executor
  readonly reader: Reader
  readonly positions: Pick<Positions, 'waitFor'>
  readonly firstBuild: Pick<FirstBuild, 'underWay'>
  /** Every read model of this release. */
  readonly projections: readonly Projection[]
  /** Whole lists, serialised. */
  readonly lists: ReadCache<SerialisedList | 'large'>
  readonly authenticate: Authenticate
  readonly inFlight: InFlight
  readonly newId: () => string
  /** The rule packs of this release. */
  readonly rules: RuleBook
  readonly operations: Operations
  readonly log: Logger
  readonly now: () => Date
}

export interface SerialisedList {
  readonly bytes: Buffer
  readonly etag: string
}

/** Somebody whose credentials were found good, and what they may do. */
export interface Principal {
  readonly caller: Caller
  /** The API key that was shown alone: what its caller may do is in its snapshot. */
  readonly apiKey: { readonly keyId: string; readonly snapshot: readonly Membership[] } | undefined
  /** None for those who are no members, whether or not the company exists. */
  rolesIn(companyId: string): Promise<readonly Role[]>
  /** All memberships that the credentials let act by, as they are now. */
  memberships(): Promise<readonly Membership[]>
  /** Counts one more request of the caller, for a body that does the work of many. @throws Problem 429 */
  countRequest(): void
  /** Verifies the same credentials again, and counts nothing. @throws Problem 401, 503 */
  verifyAgain(): Promise<Principal>
}

/** `identified` is told who it is as soon as that is known. @throws Problem 401, 429, 503 */
export type Authenticate = (
  req: IncomingMessage,
  res: ServerResponse,
  address: string,
  identified?: (principal: Principal) => void,
) => Promise<Principal>

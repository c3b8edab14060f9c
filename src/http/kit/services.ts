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

/** The dependencies of the routes, passed in once as plain objects. */
export interface Services {
  readonly executor: Executor
  readonly reader: Reader
  readonly positions: Pick<Positions, 'waitFor'>
  readonly firstBuild: Pick<FirstBuild, 'underWay'>
  /** Every read model of this release. */
  readonly projections: readonly Projection[]
  /** The cache of whole serialised lists. */
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

/** An authenticated caller with its permissions. */
export interface Principal {
  readonly caller: Caller
  /** The API key, if it was sent without a token. Its snapshot has the permissions. */
  readonly apiKey: { readonly keyId: string; readonly snapshot: readonly Membership[] } | undefined
  /** Empty for accounts that are not members, whether or not the company exists. */
  rolesIn(companyId: string): Promise<readonly Role[]>
  /** The current memberships that the credentials give. */
  memberships(): Promise<readonly Membership[]>
  /** Count one more request of the caller, for a body that does the work of many. @throws Problem 429 */
  countRequest(): void
  /** Verify the same credentials again without counting a request. @throws Problem 401, 503 */
  verifyAgain(): Promise<Principal>
}

/** `identified` is called as soon as the caller is known. @throws Problem 401, 429, 503 */
export type Authenticate = (
  req: IncomingMessage,
  res: ServerResponse,
  address: string,
  identified?: (principal: Principal) => void,
) => Promise<Principal>

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Response } from 'express'
import type { Logger } from 'pino'
import type { Checks } from '../../admission/checks.ts'
import type { InFlight } from '../../admission/inFlight.ts'
import type { LargeBodies } from '../../admission/largeBodies.ts'
import type { RateLimitStatus } from '../../admission/rateLimit.ts'
import type { Slots } from '../../admission/slots.ts'
import type { Unread } from '../../admission/unread.ts'
import type { ReadChanges } from '../../changes/shareReads.ts'
import type { WebhookSecrets } from '../../commands/company/webhooks.ts'
import type { Executor } from '../../commands/executor/command.ts'
import type { BeginDryRun } from '../../commands/executor/dryRun.ts'
import type { Persons } from '../../commands/executor/persons.ts'
import type { Documents } from '../../documents/place.ts'
import type { Membership } from '../../domain/company/account.ts'
import type { Role } from '../../domain/company/companyEvents.ts'
import type { RuleBook } from '../../domain/rulePacks/ruleBook.ts'
import type { Caller } from '../../identity/caller.ts'
import type { SettingsOf } from '../../identity/companySettings.ts'
import type { Invitations } from '../../identity/invitations.ts'
import type { ImportRows } from '../../imports/importRows.ts'
import type { ImportReader } from '../../imports/reader.ts'
import type { Runs } from '../../processes/runs/runner.ts'
import type { Operations } from '../../projections/engine/operations/operations.ts'
import type { Derive } from '../../projections/engine/reading/derivedValues.ts'
import type { FirstBuild } from '../../projections/engine/reading/firstBuild.ts'
import type { SortKey } from '../../projections/engine/reading/listQuery.ts'
import type { ReadCache, Subject } from '../../projections/engine/reading/readCache.ts'
import type { Reader } from '../../projections/engine/reading/reader.ts'
import type { Positions } from '../../projections/engine/reading/waitFor.ts'
import type { ReadModels } from '../../projections/engine/schema/readModels.ts'
import type { CompanyLog } from '../../proofs/signing/companyLog.ts'
import type { Exports } from '../../proofs/signing/exports.ts'
import type { OwnRules } from '../../rulePacks/ownRules/ownRules.ts'
import type { EventStore } from '../../stores/eventStore.ts'
import type { Reach } from '../../webhooks/publicNetworks.ts'
import type { Coding } from './routing/contentCoding.ts'

/** The dependencies of the routes, passed in once as plain objects. */
export interface Services {
  readonly executor: Executor
  readonly beginDryRun: BeginDryRun
  readonly persons: Persons
  readonly eventStore: Pick<EventStore, 'last'>
  readonly exports: Exports
  readonly companyLog: CompanyLog
  /** The bytes of documents. */
  readonly documents: Documents
  readonly imports: ImportRows
  readonly invitations: Invitations
  readonly importReader: ImportReader
  readonly runs: Runs
  readonly reader: Reader
  readonly positions: Pick<Positions, 'waitFor' | 'onChange' | 'positionOf'>
  /** The longest time that a read waits until the read models have reached Min-Position. */
  readonly minPositionWithinMs: number
  /** The longest time that a revocation waits until it is in force. */
  readonly revokedWithinMs?: number | undefined
  /** After this time no node has a membership in memory that has ended; by default as long as a deaf node may keep it. */
  readonly membershipsEndWithinMs?: number | undefined
  readonly firstBuild: Pick<FirstBuild, 'underWay'>
  /** Every read model of this release. */
  readonly readModels: ReadModels
  /** The cache of whole serialised lists. */
  readonly lists: ReadCache<SerialisedList | 'large'>
  /** The same for first pages and filtered lists, so that the many variants that one caller asks for push out no whole list. */
  readonly filteredLists: ReadCache<SerialisedList | 'large'>
  /** The cache of values that are computed from many rows. */
  readonly derive: Derive
  readonly authenticate: Authenticate
  readonly repeatedLists: KeepsLists
  readonly settingsOf: SettingsOf
  readonly inFlight: InFlight
  readonly unread: Unread
  readonly checks: Checks
  readonly largeBodies: LargeBodies
  readonly newId: () => string
  /** The rule packs of this release. */
  readonly rules: RuleBook
  /** The thread that runs the rules of companies. */
  readonly ownRules: Pick<OwnRules, 'check' | 'evaluate'>
  readonly operations: Operations
  readonly log: Logger
  readonly now: () => Date
  /** The address by which callers reach the service. Without it, answers name the address of the request. */
  readonly publicUrl?: string | undefined
  /** Milliseconds that never run backwards; the clock of `positions`. */
  readonly clock: () => number
  readonly webhookSecrets: WebhookSecrets
  /** Read changes of a company; readers who want the same share the read. */
  readonly readChanges: ReadChanges
  /** The addresses to which webhooks may lead. */
  readonly webhookReach: Pick<Reach, 'faultOf'>
  /** The streams of changes and the requests that wait for one, by caller. */
  readonly changeStreams: Pick<Slots, 'take'>
  /** Aborted when the service stops: answers that wait for something to happen end now. */
  readonly closing: AbortSignal
}

/** The services that the query of a list may use. */
export type ListServices = Pick<Services, 'rules' | 'ownRules'> & Partial<Pick<Services, 'derive'>>

export interface SerialisedList {
  readonly bytes: Buffer
  /** The ETag of the list. `send` adds the coding to it. */
  readonly etag: string
  /** The coding that the bytes are in; undefined for none. */
  readonly coding?: Coding
  /** For a page: the place after which the next one begins; undefined when it is the last. */
  readonly next?: SortKey | undefined
  /** The number of records on all pages; undefined unless the request asks for it. */
  readonly total?: number | undefined
}

/** Where memory keeps a list, or its first page. */
export interface ListPlace {
  readonly cache: ReadCache<SerialisedList | 'large'>
  readonly subject: Subject
}

export interface KeepsLists {
  /** Keep how a request for a list was answered, for the same request again. */
  keep(res: Response, place: ListPlace, list: SerialisedList): void
}

/** An authenticated caller with its permissions. */
export interface Principal {
  readonly caller: Caller
  /** The API key, if it was sent without a token. Its snapshot has the permissions. */
  readonly apiKey: { readonly keyId: string; readonly snapshot: readonly Membership[] } | undefined
  /**
   * Refuse a session that was once without use for longer than the strictest company of the person allows. Other
   * credentials have no such bound. @throws Problem 401, 503
   */
  requireRecentUse?(): Promise<void>
  /**
   * Empty for accounts that are not members, whether or not the company exists.
   * @throws Problem 401 for a session that has ended for this company
   */
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

/** A member of a company, by an access token that was verified before. */
export interface RecalledMember {
  readonly caller: Caller
  readonly roles: readonly Role[]
  countRequest(): RateLimitStatus
}

/** Return the member at once; undefined if the usual way has to tell who calls. */
export type RecallMember = (headers: IncomingHttpHeaders, companyId: string) => RecalledMember | undefined

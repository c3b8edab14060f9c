import { randomUUID } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { createChecks } from '../../src/admission/checks.ts'
import { createInFlight } from '../../src/admission/inFlight.ts'
import { createLargeBodies } from '../../src/admission/largeBodies.ts'
import { createUnread } from '../../src/admission/unread.ts'
import { defaultSettings } from '../../src/domain/company/company.ts'
import type { Role } from '../../src/domain/company/companyEvents.ts'
import { noRuleBook } from '../../src/domain/rulePacks/ruleBook.ts'
import { type AppDependencies, createApp } from '../../src/http/kit/app.ts'
import { createAuthentication } from '../../src/http/kit/authentication/authenticate.ts'
import { listen } from '../../src/http/kit/server/server.ts'
import { nameOfEnum } from '../../src/http/namedEnums.ts'
import { createApiKeys } from '../../src/identity/apiKeys.ts'
import { createProviderKeys } from '../../src/identity/providerKeys.ts'
import { createTokens } from '../../src/identity/tokens.ts'
import { clock as processClock, now as wallClock } from '../../src/lib/clocks.ts'
import type { FoundKey } from '../../src/projections/company/apiKeyQueries.ts'
import type { Reader } from '../../src/projections/engine/reading/reader.ts'
import { createReadModels } from '../../src/projections/engine/schema/readModels.ts'
import { type IdentityProvider, tokenRules } from './identity.ts'

export interface HttpService {
  readonly url: string
  readonly port: number
  /** The lines of its log, parsed. */
  readonly logged: Record<string, unknown>[]
  close(): Promise<void>
}

export interface HttpServiceOptions extends Partial<AppDependencies> {
  readonly identity: IdentityProvider
  /** Roles by user and company. */
  readonly members?: (userId: string, companyId: string) => readonly Role[]
  /** Live API keys by their hash. */
  readonly keys?: (hash: string) => FoundKey | undefined
  readonly authorizedParties?: readonly string[]
  readonly failureLimit?: number
  readonly apiRateLimit?: number
  readonly now?: () => Date
}

/** Read models that have no rows. */
const empty = {
  position: 0,
  storeId: '',
  table: () => '',
  requireRunning: () => {},
  lack: async () => undefined,
  query: async () => [],
  portions: notHere,
}

/** Start the real application on a port of its own, with the parts that the spec passes in. */
export async function startHttp(options: HttpServiceOptions): Promise<HttpService> {
  const { app, logged, close: closeApp } = httpApp(options)
  const server = await listen(app, { host: '127.0.0.1', port: 0, clock: processClock })
  const close = async () => {
    closeApp()
    await server.close(1_000)
  }
  return { url: server.url, port: server.port, logged, close }
}

interface HttpApp extends Pick<HttpService, 'logged'> {
  readonly app: RequestListener
  close(): void
}

/** Create the application for a spec that listens by itself. */
export function httpApp({
  identity,
  members = () => [],
  keys = () => undefined,
  authorizedParties,
  failureLimit = 3_000,
  apiRateLimit = 60_000,
  now = wallClock,
  clock = processClock,
  ...dependencies
}: HttpServiceOptions): HttpApp {
  const logged: Record<string, unknown>[] = []
  const providerKeys = createProviderKeys({
    issuer: identity.issuer,
    jwksUrl: undefined,
    allowHttp: false,
    clock,
  })
  const rules = { ...tokenRules(identity.issuer), authorizedParties }
  const tokens = createTokens(rules, providerKeys, now)
  const app = createApp({
    routes: [],
    nameOfEnum,
    executor: { execute: notHere, check: notHere },
    beginDryRun: notHere,
    ownRules: { check: notHere, evaluate: notHere },
    persons: { hashOf: notHere, forget: notHere },
    webhookSecrets: { keep: notHere, forget: notHere },
    webhookReach: { faultOf: notHere },
    eventStore: { last: notHere },
    reader: readerOf({
      read: async (_, look) => ({ value: await look(empty), position: 0 }),
      stream: notHere,
    }),
    positions: { waitFor: async () => true, positionOf: () => 0, onChange: () => () => {}, lastHeardAt: 0 },
    exports: { zip: notHere, sign: notHere, lines: notHere, keys: notHere },
    companyLog: {
      checkpoint: notHere,
      proof: notHere,
      consistency: notHere,
      proofs: notHere,
      proofsAt: notHere,
      anchors: notHere,
      tile: notHere,
    },
    runs: { begin: notHere },
    documents: {
      objects: notHere,
      scan: undefined,
      bytesOfCompany: Number.POSITIVE_INFINITY,
      arriving: { run: (_companyId, work) => work() },
    },
    imports: {
      refuseTooMany: notHere,
      keep: notHere,
      find: notHere,
      confirm: notHere,
      findExpired: notHere,
      forget: notHere,
    },
    invitations: { invite: notHere, withdraw: notHere, takeUp: notHere },
    importReader: { read: notHere, pages: notHere },
    firstBuild: { underWay: async () => undefined },
    changeStreams: { take: notHere },
    closing: new AbortController().signal,
    clock,
    listCacheBytes: 1_048_576,
    minPositionWithinMs: 5_000,
    readModels: createReadModels('none', []),
    ...createAuthentication({
      tokens,
      apiKeys: createApiKeys({ find: async (hash) => keys(hash), now, onUsed: () => {} }),
      memberships: { rolesIn: async (...of) => members(...of), recall: members, all: async () => [] },
      failureLimit,
      apiRateLimit,
      clock,
    }),
    settingsOf: async () => defaultSettings,
    health: async () => [],
    metrics: new Registry(),
    tokenUrl: () => undefined,
    release: { version: '0.0.0-spec', commit: null },
    rules: noRuleBook,
    operations: { report: notHere, start: notHere, find: notHere, list: notHere, close: async () => {} },
    inFlight: createInFlight(Number.POSITIVE_INFINITY),
    unread: createUnread(Number.POSITIVE_INFINITY),
    checks: createChecks(clock),
    largeBodies: createLargeBodies(),
    newId: randomUUID,
    now,
    log: pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line)) }),
    ...dependencies,
  })
  return { app, logged, close: providerKeys.close }
}

/** A reader that is the same for all companies. */
export function readerOf(reads: Omit<Reader, 'ofCompany'>): Reader {
  const reader: Reader = { ...reads, ofCompany: () => reader }
  return reader
}

function notHere(): never {
  throw new Error('this spec reads and records nothing')
}

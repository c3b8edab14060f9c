import { createPrivateKey, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registerCompany, setMemberRoles } from '../../src/commands/company/companies.ts'
import { readConfig } from '../../src/config/config.ts'
import { type Role, roles } from '../../src/domain/company/companyEvents.ts'
import type { Actor } from '../../src/domain/kernel/event.ts'
import { type Parts, type Service, startService } from '../../src/service.ts'
import { packs } from '../rulePacks/shipped.ts'
import { bodyTypeOf } from './call.ts'
import { audience, type IdentityProvider, startIdentityProvider } from './identity.ts'
import { createDatabase } from './postgres.ts'
import { givenOrNewStore } from './store.ts'
import { suiteLog } from './suiteLog.ts'
import { until } from './until.ts'

/** Runs the whole service in this process, on stores and an identity provider of its own. */

export type ClientName = Lowercase<Role> | 'operator' | 'outsider'

export interface TestService {
  readonly url: string
  readonly companyId: string
  /** A company whose only member is `outsider`. */
  readonly otherCompanyId: string
  readonly identity: IdentityProvider
  readonly settings: Readonly<Record<string, string>>
  /** The files of documents, unless the settings name a bucket. */
  readonly documentsFolder: string
  readonly executor: Service['executor']
  readonly notReady: Service['notReady']
  /** Everything that was logged. */
  logged(): string
  /** Send a request to this path below `/api/company/{companyId}`, or to the path itself when it begins with /. */
  send(client: ClientName, method: string, path: string, more?: Sent): Promise<Answer>
  /** Start one more service on the same stores, with other parts if given. */
  startAnother(more?: Record<string, string>, parts?: Parts): Promise<{ url: string; stop(): Promise<void> }>
  stop(): Promise<void>
}

export interface Sent {
  readonly body?: unknown
  readonly headers?: Record<string, string>
  /** Another service on the same stores. */
  readonly at?: string
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a spec knows the shape of its answer.
  readonly body: any
}

const ownFolder = mkdtempSync(join(tmpdir(), 'heatmark-files-'))
const signingKeyFile = join(ownFolder, 'key.pem')
writeFileSync(signingKeyFile, sharedSigningKey(), { mode: 0o600 })
process.once('exit', () => rmSync(ownFolder, { recursive: true }))

const actor: Actor = { id: 'spec', name: 'Spec', kind: 'service' }

/** The same for every service, because many of them may share a given store, which names one key. */
function sharedSigningKey(): string {
  const beforeSeed = Buffer.from('302e020100300506032b657004220420', 'hex')
  const key = Buffer.concat([beforeSeed, Buffer.alloc(32, 7)])
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' }).export({
    type: 'pkcs8',
    format: 'pem',
  }) as string
}

/** @param more settings; `EVENTSTORE_URL: ''` gives the service a local store of its own */
export async function startTestService(
  more: Record<string, string> = {},
  parts: Parts = {},
): Promise<TestService> {
  const [node, database, identity] = await Promise.all([
    givenOrNewStore(more.EVENTSTORE_URL),
    createDatabase(),
    startIdentityProvider(),
  ])
  const settings = {
    PORT: '0',
    DATABASE_URL: database.url,
    OIDC_ISSUER: identity.issuer,
    OIDC_AUDIENCE: audience,
    SIGNING_KEY: signingKeyFile,
    ...more,
    EVENTSTORE_URL: node.url,
  }
  const { log, written } = suiteLog()
  const documentsFolder = join(ownFolder, randomUUID())
  // Each service would read and check all packs again.
  const start = (environment: Record<string, string>, parts: Parts) => {
    const config = readConfig(environment)
    const documents = config.documents ?? { folder: documentsFolder }
    return startService({ ...config, documents }, log, new AbortController().signal, {
      rulePacks: packs,
      ...parts,
    })
  }
  const service = await start(settings, parts)
  const companyId = randomUUID()
  const otherCompanyId = randomUUID()
  const context = { actor, correlationId: 'spec' }
  await service.executor.execute(registerCompany(companyId, 'Beispiel'), context)
  await service.executor.execute(registerCompany(otherCompanyId, 'Andernorts'), context)
  for (const role of roles)
    await service.executor.execute(
      setMemberRoles({ companyId, userId: role.toLowerCase(), wanted: [role] }),
      context,
    )
  await service.executor.execute(
    setMemberRoles({ companyId: otherCompanyId, userId: 'outsider', wanted: ['Admin'] }),
    context,
  )

  const tokens = new Map<string, Promise<string>>()
  const tokenOf = (client: ClientName): Promise<string> => {
    const known =
      tokens.get(client) ??
      identity.token({
        oid: client,
        name: `${client[0]!.toUpperCase()}${client.slice(1)}`,
        roles: client === 'operator' ? ['Operator'] : [],
      })
    tokens.set(client, known)
    return known
  }

  const send: TestService['send'] = async (client, method, path, sent = {}) => {
    const { body, headers = {}, at = service.url! } = sent
    const response = await fetch(
      `${at}${path.startsWith('/') ? path : `/api/company/${companyId}/${path}`}`,
      {
        method,
        body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
        headers: {
          authorization: `Bearer ${await tokenOf(client)}`,
          ...(body !== undefined && { 'content-type': bodyTypeOf(method) }),
          ...headers,
        },
      },
    )
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    }
  }
  // Members can sign in once the read models have caught up.
  const other = `/api/company/${otherCompanyId}/orders`
  await until(async () => (await send('outsider', 'GET', other)).status === 200)

  return {
    url: service.url!,
    companyId,
    otherCompanyId,
    identity,
    settings,
    documentsFolder,
    executor: service.executor,
    notReady: service.notReady,
    logged: written,
    send,
    async startAnother(others = {}, otherParts = parts) {
      const another = await start({ ...settings, ...others }, otherParts)
      return { url: another.url!, stop: async () => void (await another.stop()) }
    },
    async stop() {
      await service.stop()
      await Promise.all([identity.stop(), node.stop(), database.drop()])
    },
  }
}

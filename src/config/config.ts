import { z } from 'zod'
import { bucketIn, type DocumentsPlace } from '../documents/place.ts'
import { editDistance } from '../lib/editDistance.ts'
import { eventStoreUrlFault } from '../stores/eventStoreDb/url.ts'
import { postgresUrlFault } from '../stores/postgres/url.ts'
import { type Environment, faultsTogether } from './faultsTogether.ts'
import {
  commaSeparated,
  isNetwork,
  isOrigin,
  isProxy,
  listOf,
  port,
  proxyNames,
  publicUrl,
  urlOf,
  wholeNumber,
  withoutFault,
} from './values.ts'

/** The settings of the service: environment variables, which are all checked before anything starts. */

/** The data directory of the embedded stack. */
export const defaultDataDir = '.heatmark'

/** Only signatures with a public key: with a shared secret, every verifier could sign. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
] as const

const processRoles = ['http', 'projector', 'policies'] as const

const settings = z.object({
  PORT: port.default(8080),
  HOST: z.string().default('127.0.0.1'),
  METRICS_PORT: port.optional(),
  MAX_CONNECTIONS: wholeNumber(1, 1_000_000).default(10_000),
  /** One caller may hold a quarter of it, and that must hold a largest body. */
  REQUESTS_IN_FLIGHT_MB: wholeNumber(8, 1_000_000).default(64),
  PUBLIC_URL: publicUrl.optional(),
  TLS_CERT: z.string().optional(),
  TLS_KEY: z.string().optional(),
  TRUST_PROXY: commaSeparated
    .pipe(z.array(z.string().refine(isProxy, `must name addresses, networks or ${proxyNames.join(', ')}`)))
    .optional(),
  CORS_ORIGINS: commaSeparated
    .pipe(
      z.array(
        z
          .string()
          .refine(
            isOrigin,
            'must name origins as browsers send them, such as https://app.example.com, without a slash at the end',
          ),
      ),
    )
    .optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),

  SIGNING_KEY: z.string().optional(),
  SIGNING_COMMAND: z.string().min(1).optional(),
  ANCHOR_FOLDER: z.string().min(1).optional(),
  TIMESTAMP_URL: urlOf('http', 'https').optional(),
  TIMESTAMP_CERTIFICATES: z.string().min(1).optional(),

  EVENTSTORE_URL: withoutFault(eventStoreUrlFault),
  DATABASE_URL: withoutFault(postgresUrlFault),
  DATABASE_POOL_SIZE: wholeNumber(2, 1_000).default(10),

  DOCUMENTS_URL: z
    .string()
    .refine((text) => bucketIn(text) !== undefined, 'must name a bucket, such as s3://bucket/prefix')
    .optional(),
  DOCUMENTS_ENDPOINT: publicUrl.optional(),
  AWS_REGION: z.string().optional(),
  CLAMD_URL: urlOf('tcp').optional(),
  DOCUMENTS_PER_COMPANY_MB: wholeNumber(1, 1_000_000_000).default(102_400),
  WEBHOOK_NETWORKS: commaSeparated
    .pipe(z.array(z.string().refine(isNetwork, 'must name addresses or networks, such as 10.1.0.0/16')))
    .default([]),
  IMPORTS_PER_COMPANY: wholeNumber(1, 1_000_000).default(5_000),
  DAILY_EVENTS_PER_COMPANY_MB: wholeNumber(1, 1_000_000).default(1_024),

  OIDC_ISSUER: publicUrl,
  OIDC_JWKS_URL: publicUrl.optional(),
  OIDC_ALLOW_HTTP: z.enum(['true', 'false'], 'must be true or false').default('false'),
  OIDC_AUDIENCE: commaSeparated.default(['api://heatmark']),
  OIDC_AUTHORIZED_PARTIES: commaSeparated.optional(),
  OIDC_ALGORITHMS: listOf(algorithms).default(['RS256', 'PS256', 'ES256', 'EdDSA']),
  OIDC_USER_CLAIM: z.string().default('oid'),
  OIDC_NAME_CLAIM: z.string().default('name'),
  OIDC_ROLES_CLAIM: z.string().default('roles'),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_SCOPE: z
    .string()
    .refine((text) => text.split(' ').includes('openid'), 'must name openid')
    .default('openid profile'),
  OIDC_PROGRAM_SCOPE: z.string().optional(),
  PLATFORM_ADMIN_ROLE: z.string().default('PlatformAdmin'),
  OPERATOR_ROLE: z.string().default('Operator'),

  API_RATE_LIMIT: wholeNumber(1, 1_000_000_000).default(60_000),
  AUTH_FAILURE_LIMIT: wholeNumber(1, 1_000_000_000).default(3_000),
  TOKEN_RATE_LIMIT: wholeNumber(1, 1_000_000_000).default(1_000),

  COMMAND_CACHE_MB: wholeNumber(1, 1_000_000).default(128),
  LIST_CACHE_MB: wholeNumber(1, 1_000_000).default(128),

  PROCESS_ROLES: listOf(processRoles).default([...processRoles]),
  HEATMARK_DATA_DIR: z.string().default(defaultDataDir),
})

/** The names of all settings. */
export const settingNames: readonly string[] = Object.keys(settings.shape)

/** Variables that only the commands, the examples and the specs read. */
const readElsewhere = [
  'HEATMARK_URL',
  'HEATMARK_TOKEN',
  'HEATMARK_KEY',
  'HEATMARK_COMPANY_ID',
  'HEATMARK_TEST_ALL',
]

const megabytes = 1_048_576

export type Config = ReturnType<typeof configOf>

/** The settings whose parts the embedded stack can start. */
const startable = ['EVENTSTORE_URL', 'DATABASE_URL', 'OIDC_ISSUER'] as const
type Startable = (typeof startable)[number]

/**
 * Read all settings. With `embedded`, the settings whose parts the embedded stack can start may be missing: they are
 * empty here, and `readConfig` is called again when the stack has started them.
 * @throws Error that lists every fault
 */
export function readConfig(environment: Environment, { embedded = false } = {}): Config {
  // An empty variable counts as unset: compose files and shells make such variables.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value))
  const parsed = (embedded ? settings.partial(asMask(startable)) : settings).safeParse(given, {
    error: (issue) =>
      issue.code === 'invalid_type' && issue.input === undefined ? missingMessage(issue.path) : undefined,
  })
  const faults = [
    ...(parsed.error?.issues.map(({ path, message }) => `${String(path[0])}: ${message}`) ?? []),
    ...unknownSettings(given),
    ...faultsTogether(given),
  ]
  if (!parsed.success || faults.length > 0)
    throw new Error(`the settings in the environment are wrong:\n  ${faults.join('\n  ')}`)
  return configOf({ EVENTSTORE_URL: '', DATABASE_URL: '', OIDC_ISSUER: '', ...parsed.data })
}

type Settings = z.infer<typeof settings>

function configOf(values: Settings) {
  return {
    http: httpOf(values),
    identity: identityOf(values),
    /** The service as a client of the identity provider, for people who log in to the portal; undefined for none. */
    portal:
      values.OIDC_CLIENT_ID && values.OIDC_CLIENT_SECRET
        ? {
            clientId: values.OIDC_CLIENT_ID,
            clientSecret: values.OIDC_CLIENT_SECRET,
            scope: values.OIDC_SCOPE,
          }
        : undefined,
    /** Where the Ed25519 key is that signs checkpoints; undefined for none. */
    signingKey: values.SIGNING_KEY
      ? { file: values.SIGNING_KEY, command: values.SIGNING_COMMAND }
      : undefined,
    /** The folder that checkpoints are brought to; undefined for none. */
    anchorFolder: values.ANCHOR_FOLDER,
    /** The timestamp authority, and the path of the PEM file that its certificate is checked by; undefined for none. */
    timestamps:
      values.TIMESTAMP_URL && values.TIMESTAMP_CERTIFICATES
        ? { url: values.TIMESTAMP_URL, certificates: values.TIMESTAMP_CERTIFICATES }
        : undefined,
    eventStoreUrl: values.EVENTSTORE_URL,
    database: { url: values.DATABASE_URL, poolSize: values.DATABASE_POOL_SIZE },
    /** undefined: there is no place for documents, unless the embedded stack has one. */
    documents: documentsOf(values),
    /** The scanner for viruses; undefined for none. */
    clamd: values.CLAMD_URL === undefined ? undefined : clamdAt(new URL(values.CLAMD_URL)),
    /** The networks besides public ones to which webhooks may lead. */
    webhookNetworks: values.WEBHOOK_NETWORKS,
    /** The most bytes of all documents of a company. */
    documentBytesOfCompany: values.DOCUMENTS_PER_COMPANY_MB * megabytes,
    /** The most imports of a company that are kept at a time. */
    importsOfCompany: values.IMPORTS_PER_COMPANY,
    /** The most bytes of events that a company records in a day (UTC). */
    dailyBytesOfCompany: values.DAILY_EVENTS_PER_COMPANY_MB * megabytes,
    commandCacheBytes: values.COMMAND_CACHE_MB * megabytes,
    processRoles: values.PROCESS_ROLES as string[],
    dataDir: values.HEATMARK_DATA_DIR,
    logLevel: values.LOG_LEVEL,
  }
}

function httpOf(values: Settings) {
  return {
    host: values.HOST,
    /** 0 takes any free port. */
    port: values.PORT,
    /** The port at which anyone may read `/metrics`; undefined for none. */
    metricsPort: values.METRICS_PORT,
    /** The most connections at once. Each takes a file descriptor. */
    maxConnections: values.MAX_CONNECTIONS,
    /** The most that requests may hold together while they wait for their answers, in bytes as sent. */
    inFlightBytes: values.REQUESTS_IN_FLIGHT_MB * megabytes,
    /** Paths of PEM files. */
    tls: values.TLS_CERT && values.TLS_KEY ? { cert: values.TLS_CERT, key: values.TLS_KEY } : undefined,
    trustProxy: values.TRUST_PROXY,
    /** The address by which callers reach the service, without a slash at its end. */
    publicUrl: values.PUBLIC_URL?.replace(/\/+$/, ''),
    /** Origins whose pages may call the API; undefined for none. */
    corsOrigins: values.CORS_ORIGINS,
    /** Requests per caller and minute. */
    apiRateLimit: values.API_RATE_LIMIT,
    /** Failed authentications per address and minute. */
    authFailureLimit: values.AUTH_FAILURE_LIMIT,
    listCacheBytes: values.LIST_CACHE_MB * megabytes,
  }
}

function identityOf(values: Settings) {
  return {
    issuer: values.OIDC_ISSUER,
    /** undefined for the address in the issuer's discovery document. */
    jwksUrl: values.OIDC_JWKS_URL,
    /** Whether providers on other hosts may use plain HTTP. */
    allowHttp: values.OIDC_ALLOW_HTTP === 'true',
    audiences: values.OIDC_AUDIENCE,
    /** Clients whose tokens are accepted; undefined for all. */
    authorizedParties: values.OIDC_AUTHORIZED_PARTIES,
    algorithms: values.OIDC_ALGORITHMS as string[],
    userClaim: values.OIDC_USER_CLAIM,
    nameClaim: values.OIDC_NAME_CLAIM,
    rolesClaim: values.OIDC_ROLES_CLAIM,
    /** The scope that programs ask for with their client credentials, for the OpenAPI document; undefined for none. */
    programScope: values.OIDC_PROGRAM_SCOPE,
    platformRoles: { PlatformAdmin: values.PLATFORM_ADMIN_ROLE, Operator: values.OPERATOR_ROLE },
    /** Token requests per client and minute, for the embedded provider. */
    tokenRateLimit: values.TOKEN_RATE_LIMIT,
  }
}

/** Return the place that DOCUMENTS_URL names, for commands; undefined without it. @throws Error that lists every fault */
export function documentsPlaceIn(environment: Environment): DocumentsPlace | undefined {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value))
  const { data, error } = settings
    .pick({ DOCUMENTS_URL: true, DOCUMENTS_ENDPOINT: true, AWS_REGION: true })
    .safeParse(given)
  if (error)
    throw new Error(error.issues.map(({ path, message }) => `${String(path[0])}: ${message}`).join('; '))
  return documentsOf(data)
}

/** The region that servers other than AWS expect. */
const usualRegion = 'us-east-1'

function documentsOf({
  DOCUMENTS_URL: url,
  DOCUMENTS_ENDPOINT: endpoint,
  AWS_REGION: region,
}: Pick<z.infer<typeof settings>, 'DOCUMENTS_URL' | 'DOCUMENTS_ENDPOINT' | 'AWS_REGION'>):
  | DocumentsPlace
  | undefined {
  const bucket = url === undefined ? undefined : bucketIn(url)
  return bucket && { ...bucket, endpoint, region: region ?? (endpoint && usualRegion) }
}

/** The port that clamd listens on unless it is told another. */
const clamdPort = 3_310

function clamdAt({ hostname, port }: URL) {
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || clamdPort) }
}

function asMask<Name extends string>(names: readonly Name[]) {
  return Object.fromEntries(names.map((name) => [name, true])) as Record<Name, true>
}

function missingMessage(path: readonly PropertyKey[] | undefined): string {
  return startable.includes(path?.[0] as Startable)
    ? 'is missing (only the embedded stack needs none: "heatmark start --embedded")'
    : 'is missing'
}

/** Shorter names are too much like those of other programs. */
const longName = 8

/** Whether the name differs from that of a setting in one letter. Most names differ in length, which costs nothing. */
function isNear(setting: string, name: string): boolean {
  if (setting.length < longName || Math.abs(setting.length - name.length) > 1) return false
  return editDistance(setting, name) === 1
}

/** A mistyped name would leave its setting at the default, in silence. Other programs may have any other names. */
function unknownSettings(given: Environment): string[] {
  return Object.keys(given)
    .filter((name) => !settingNames.includes(name) && !readElsewhere.includes(name))
    .flatMap((name) => {
      const near = settingNames.find((one) => isNear(one, name))
      if (near) return [`${name}: is not a setting; ${near} is one`]
      return name.startsWith('HEATMARK_') ? [`${name}: is not a setting of this release`] : []
    })
}

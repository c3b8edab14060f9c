import { z } from 'zod'
import { notFound } from '../../domain/kernel/refusal.ts'
import { log } from '../../projections/audit/log.ts'
import type { LogPart } from '../../proofs/signing/logReading.ts'
import type { TileName } from '../../proofs/signing/tiles.ts'
import { parameterPlace } from '../kit/body/validate.ts'
import { validationFailed } from '../kit/problem.ts'
import { cachingOf } from '../kit/routing/caching.ts'
import { minPosition, waitUntilReached } from '../kit/routing/minPosition.ts'
import { send } from '../kit/routing/respond.ts'
import { type Declaration, type Exchange, paramsOf, type Route } from '../kit/routing/route.ts'
import { notWithin, timestamp, wholeBetween } from '../kit/schemas/fields.ts'

/** The log of a company: the signed tree of the hashes of its events, in the formats of C2SP. */

const formats = 'See [C2SP](https://c2sp.org).'
const text = 'text/plain'
const bytes = 'application/octet-stream'

const shared = { tag: 'Audit', access: { company: 'audit' } } as const

const checkpoint = {
  ...shared,
  path: '/api/company/{companyId}/history/log/checkpoint',
  operationId: 'getLogCheckpoint',
  summary: 'Get a signed checkpoint of the log of the company',
  description: `A signed note (tlog-checkpoint). It covers every event that is older than 60 seconds. With Min-Position, it also covers every event up to that position. ${formats}`,
} as const satisfies Declaration

const proof = {
  ...shared,
  path: '/api/company/{companyId}/history/log/proof/{eventId}',
  operationId: 'getLogProof',
  summary: 'Prove that an event is in the log of the company',
  description: `An inclusion proof (tlog-proof): the index of the event, the hashes that lead from it to the head of the log, and a new checkpoint. ${formats}`,
} as const satisfies Declaration

const consistency = {
  ...shared,
  path: '/api/company/{companyId}/history/log/consistency',
  operationId: 'getLogConsistency',
  summary: 'Prove that the log continues an older checkpoint',
  description: 'A consistency proof: the hashes of RFC 6962, 2.1.2, in base64.',
} as const satisfies Declaration

const tilePath =
  /^(entries|\d|[1-5]\d|6[0-3])\/((?:x(?!000\/)\d{3}\/(?:x\d{3}\/)*)?\d{3})(?:\.p\/([1-9]|[1-9]\d|1\d\d|2[0-4]\d|25[0-5]))?$/

const tile = {
  ...shared,
  path: '/api/company/{companyId}/history/log/tile/{tile}',
  params: { tile: z.string().max(60, 'must have at most 60 characters') },
  restOfPath: 'tile',
  operationId: 'getLogTile',
  summary: 'Get a tile of the log of the company',
  description: `Level, index and, for a part of a tile, its width, as in \`0/x001/067\` or \`0/000.p/5\`; \`entries/…\` has the entries themselves (tlog-tiles). A tile never changes. ${formats}`,
} as const satisfies Declaration

const keys = {
  ...shared,
  path: '/api/company/{companyId}/history/log/keys',
  operationId: 'listLogKeys',
  summary: 'List the public keys that sign the history of the company',
  description:
    'A JWK set, in the form of the file `keys.json` of an export: the present key first, then those that it has replaced. Keep it: with it, `heatmark audit verify --keys` finds an export that another key has signed.',
} as const satisfies Declaration

const anchors = {
  ...shared,
  path: '/api/company/{companyId}/history/log/anchors',
  operationId: 'listLogAnchors',
  summary: 'Tell up to which event the history of the company is anchored',
  description:
    'An anchor is a checkpoint that is kept elsewhere: in the last downloaded export, in a folder, or with the timestamp of an authority. A later change of the events that it covers contradicts it. Newer events are not anchored.',
} as const satisfies Declaration

const anchored = z
  .object({
    events: z.int().meta({ description: 'The number of events in the log.' }),
    anchors: z
      .array(
        z.object({
          kind: z.enum(['export', 'folder', 'timestamp']).meta({ id: 'AnchorKind' }),
          events: z.int().meta({ description: 'The number of events, from the first on, that it covers.' }),
          anchoredAt: timestamp,
        }),
      )
      .meta({ description: 'The newest of each kind; the one that covers most events first.' }),
  })
  .meta({ id: 'LogAnchors' })

const keySet = z
  .object({
    keys: z.array(
      z.object({
        kty: z.literal('OKP'),
        crv: z.literal('Ed25519'),
        x: z.string(),
        use: z.literal('sig'),
        alg: z.literal('EdDSA'),
        kid: z.string().meta({ description: 'The thumbprint of the key (RFC 7638).' }),
        vkey: z.string().meta({ description: 'The verifier key of C2SP signed notes.' }),
      }),
    ),
  })
  .meta({ id: 'LogKeys' })

const size = z
  .string()
  .regex(/^[1-9]\d{0,15}$/, notWithin(1, Number.MAX_SAFE_INTEGER))
  .transform(Number)
  .pipe(wholeBetween(1, Number.MAX_SAFE_INTEGER))
const sizeAs = { type: 'integer', minimum: 1 }

const sizes = z.strictObject({
  from: size.meta({ as: sizeAs, description: 'The number of entries of the older checkpoint.' }),
  to: size.meta({ as: sizeAs, description: 'The number of entries of the newer checkpoint.' }),
})

const consistencyProof = z
  .object({ from: z.int(), to: z.int(), proof: z.array(z.string()) })
  .meta({ id: 'LogConsistency' })

const keyProblems = ['signing-key-missing', 'signing-key-differs'] as const
const signingProblems = [
  'signing-failed',
  'store-unavailable',
  'event-damaged',
  'too-many-large-reads',
] as const

const read = {
  method: 'get',
  query: z.strictObject({}),
  headers: z.object({ 'min-position': minPosition }),
  body: undefined,
  problems: [],
} as const satisfies Partial<Route>

export const companyLogRoutes: readonly Route[] = [
  {
    ...checkpoint,
    ...read,
    params: paramsOf(checkpoint),
    responses: { 200: { description: 'The checkpoint.', mediaType: text, headers: ['Read-Position'] } },
    problems: ['history-diverged', ...keyProblems, ...signingProblems],
    async answer(exchange, services) {
      const position = exchange.headers['min-position'] as number | undefined
      await waitUntilReached(services, [log], position)
      const { companyLog } = services
      await answerWith(exchange, text, await companyLog.checkpoint(exchange.params.companyId!, position))
    },
  },
  {
    ...proof,
    ...read,
    params: paramsOf(proof),
    responses: { 200: { description: 'The proof.', mediaType: text, headers: ['Read-Position'] } },
    problems: ['event-not-found', 'history-diverged', ...keyProblems, ...signingProblems],
    async answer(exchange, services) {
      const { companyId, eventId } = exchange.params
      await waitUntilReached(services, [log], exchange.headers['min-position'])
      await answerWith(exchange, text, await services.companyLog.proof(companyId!, eventId!))
    },
  },
  {
    ...consistency,
    ...read,
    params: paramsOf(consistency),
    query: sizes,
    responses: {
      200: { description: 'The proof.', schema: consistencyProof, headers: ['Read-Position'] },
    },
    async answer(exchange, services) {
      const { from, to } = exchange.query as z.output<typeof sizes>
      if (from > to) throw validationFailed([outOf('from', 'must not be more than to')])
      await waitUntilReached(services, [log], exchange.headers['min-position'])
      const consistency = await services.companyLog.consistency(exchange.params.companyId!, { from, to })
      if (!consistency.value)
        throw validationFailed([outOf('to', 'must not be more than the number of entries in the log')])
      const body = JSON.stringify({ from, to, proof: consistency.value })
      await answerWith(exchange, 'application/json', { ...consistency, value: body })
    },
  },
  {
    ...anchors,
    ...read,
    params: paramsOf(anchors),
    responses: { 200: { description: 'The anchors.', schema: anchored, headers: ['Read-Position'] } },
    async answer(exchange, services) {
      await waitUntilReached(services, [log], exchange.headers['min-position'])
      const { value, position } = await services.companyLog.anchors(exchange.params.companyId!)
      const anchors = value.anchors.map(({ size, ...anchor }) => ({ ...anchor, events: size }))
      const body = JSON.stringify({ ...value, anchors })
      await answerWith(exchange, 'application/json', { value: body, position })
    },
  },
  {
    ...tile,
    ...read,
    params: paramsOf(tile),
    responses: { 200: { description: 'The tile.', mediaType: bytes, headers: ['Read-Position'] } },
    problems: ['tile-not-found', 'history-diverged'],
    async answer(exchange, services) {
      const { companyId, tile: path } = exchange.params
      await waitUntilReached(services, [log], exchange.headers['min-position'])
      exchange.res.setHeader('Cache-Control', cachingOf(exchange.req, 'private, max-age=31536000, immutable'))
      // Another person at the same browser must not get it without being asked who that is.
      exchange.res.vary('Authorization, Service-Api-Key, Cookie')
      await answerWith(exchange, bytes, await services.companyLog.tile(companyId!, tileNamed(path!)))
    },
  },
  {
    ...keys,
    ...read,
    headers: z.object({}),
    params: paramsOf(keys),
    responses: { 200: { description: 'The keys.', schema: keySet } },
    problems: ['signing-key-missing', 'store-unavailable', 'event-damaged'],
    async answer({ req, res, params }, { exports }) {
      const keys = await exports.keys(params.companyId!)
      await send(res, {
        status: 200,
        headers: { 'Cache-Control': cachingOf(req) },
        body: Buffer.from(`${JSON.stringify({ keys })}\n`),
      })
    },
  },
]

/** @throws Refusal 404 `tile-not-found` */
function tileNamed(path: string): TileName {
  const named = tilePath.exec(path)
  if (!named) throw notFound('tile-not-found', path)
  const [, level, index, width] = named
  return {
    path,
    level: level === 'entries' ? level : Number(level),
    index: Number(index!.replace(/[x/]/g, '')),
    width: width === undefined ? 256 : Number(width),
  }
}

function outOf(name: string, message: string) {
  return { ...parameterPlace(name), code: 'out-of-bounds', message } as const
}

async function answerWith(
  { res, requireAccess }: Exchange,
  type: string,
  { value, position }: LogPart<string | Buffer>,
): Promise<void> {
  await requireAccess()
  if (!res.hasHeader('Cache-Control')) res.setHeader('Cache-Control', cachingOf(res.req))
  res.setHeader('Content-Type', type === text ? `${text}; charset=utf-8` : type)
  const body = typeof value === 'string' ? Buffer.from(value) : value
  await send(res, { status: 200, headers: { 'Read-Position': position }, body })
}

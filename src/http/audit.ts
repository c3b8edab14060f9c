import type { Readable } from 'node:stream'
import Negotiator from 'negotiator'
import { z } from 'zod'
import { takenBy } from './kit/lists/streamList.ts'
import { send } from './kit/routing/respond.ts'
import { type Declaration, type Exchange, paramsOf, type Route } from './kit/routing/route.ts'

/** The whole history of a company, for auditors, and the keys that sign it. */

const zip = 'application/zip'
const ndjson = 'application/x-ndjson'

const exported: Declaration & { readonly path: `/${string}` } = {
  path: '/api/company/{companyId}/audit/export',
  tag: 'Audit',
  operationId: 'exportAuditTrail',
  summary: 'Export every event of the company, with a signed checkpoint',
  description: `A ZIP file with the events, the tree of their hashes and a signature, which "heatmark audit verify" checks offline. With \`Accept: ${ndjson}\` the answer is the file \`events.ndjson\` alone, which is not signed. An export is always whole, and reads the whole event store: few run at once.`,
  access: { company: 'audit' },
}

const published: Declaration = {
  path: '/api/company/{companyId}/history/log/keys',
  tag: 'Audit',
  operationId: 'listLogKeys',
  summary: 'List the public keys that sign the history of the company',
  description:
    'A JWK set, in the form of the file `keys.json` of an export. Keep it: with it, `heatmark audit verify --keys` finds an export that another key has signed.',
  access: { company: 'audit' },
}

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

const noInput = { query: z.strictObject({}), headers: z.object({}), body: undefined }

export const auditRoutes: readonly Route[] = [
  {
    ...exported,
    ...noInput,
    method: 'get',
    params: paramsOf(exported),
    responses: {
      200: { description: 'The export.', mediaType: [zip, ndjson], headers: ['Read-Position'] },
    },
    problems: ['history-diverged', 'signing-key-missing', 'store-unavailable', 'too-many-large-reads'],
    async answer(exchange, { exports }) {
      const companyId = exchange.params.companyId!
      const type = new Negotiator(exchange.req).mediaType([zip, ndjson]) ?? zip
      const write = type === zip ? exports.zip : exports.lines
      await write(companyId, (position, content) => stream(exchange, { companyId, type, position, content }))
    },
  },
  {
    ...published,
    ...noInput,
    method: 'get',
    params: paramsOf(published),
    responses: { 200: { description: 'The keys.', schema: keySet } },
    problems: ['signing-key-missing'],
    async answer({ res, params }, { exports }) {
      const keys = exports.keys(params.companyId!)
      await send(res, {
        status: 200,
        headers: { 'Cache-Control': 'private, no-cache' },
        body: Buffer.from(`${JSON.stringify({ keys })}\n`),
      })
    },
  },
]

interface Streamed {
  readonly companyId: string
  readonly type: string
  readonly position: number
  readonly content: Readable
}

/** Send as fast as the client reads. An error in mid-stream breaks the connection, so that no part looks whole. */
async function stream(
  { req, res }: Exchange,
  { companyId, type, position, content }: Streamed,
): Promise<void> {
  const ending = type === zip ? 'zip' : 'ndjson'
  res.statusCode = 200
  res.setHeader('Content-Type', type)
  res.setHeader('Content-Disposition', `attachment; filename="heatmark-${companyId}.${ending}"`)
  res.setHeader('Cache-Control', 'private, no-store')
  res.setHeader('Read-Position', position)
  res.vary('Accept')
  try {
    if (req.method !== 'HEAD') {
      res.flushHeaders()
      const taken = takenBy(res)
      for await (const bytes of content) if (!(await taken(bytes))) return
    }
    res.end()
  } finally {
    content.destroy()
  }
}

import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import Negotiator from 'negotiator'
import { z } from 'zod'
import { importKey, incomingKey, type ObjectStore } from '../../documents/objects.ts'
import { maxFileBytes, receive } from '../../documents/receive.ts'
import { conflict, forbidden, notFound, type Refusal } from '../../domain/kernel/refusal.ts'
import { contentOf, type Decision } from '../../imports/content.ts'
import { importDays } from '../../imports/importRows.ts'
import { formatOf, type ImportFormat, type ImportKind, importKinds, templateOf } from '../../imports/read.ts'
import type { ReadRow } from '../../imports/readRow.ts'
import { csvForms, csvLines, csvStart, csvType } from '../../lib/sheets/csv.ts'
import { xlsxOf, xlsxType } from '../../lib/sheets/xlsx.ts'
import { mediaTypeOf } from '../kit/body/body.ts'
import { streamBody } from '../kit/lists/streamList.ts'
import { attachment } from '../kit/routing/attachment.ts'
import { refuseKey } from '../kit/routing/bulkRoute.ts'
import { commandCodes } from '../kit/routing/problemCodes.ts'
import { mayOf } from '../kit/routing/qualityOf.ts'
import { send } from '../kit/routing/respond.ts'
import { type Declaration, type Exchange, paramsOf, type Route } from '../kit/routing/route.ts'
import { bodyOf } from '../kit/routing/uploadRoute.ts'
import { oneOf } from '../kit/schemas/fields.ts'
import type { Services } from '../kit/services.ts'
import {
  type ImportedFile,
  importRuns,
  proposalOf,
  refusalOf,
  refuseUnknownRows,
  rowsOf,
} from './intake/importedFile.ts'
import { type AttachedOriginal, attachOriginal, keysOfImport } from './intake/original.ts'
import { carriedOut, carryOut, type Done } from './intake/proposal.ts'
import { confirmation, confirmed, proposal } from './schemas.ts'

/** Imports: a file is read, a person looks at the proposal and confirms it. Nothing is recorded before. */

const all = '/api/company/{companyId}/imports'
const group = 'Imports'
const access = { company: 'certify' } as const

const mediaTypes: Readonly<Record<ImportFormat, string>> = {
  csv: 'text/csv',
  xlsx: xlsxType,
  json: 'application/json',
  pdf: 'application/pdf',
}
const formats = Object.keys(mediaTypes) as ImportFormat[]

const uploading = {
  path: all,
  tag: group,
  access,
  operationId: 'proposeImport',
  summary: 'Read a file, and propose what to record',
  description: `The body is the file: CSV, a spreadsheet (XLSX), or, for certificates, a digital certificate as JSON (EN 10168 v0.4.1 and v0.5.0, Metals passport v0.1.1) or a PDF with a text layer, of at most ${maxFileBytes} bytes and 10,000 rows. Nothing is recorded. The file is kept for ${importDays} days, for the confirmation.`,
} satisfies Declaration

const confirming = {
  path: `${all}/{importId}/confirm`,
  tag: group,
  access,
  operationId: 'confirmImport',
  summary: 'Record what an import proposes',
  description:
    'Each row is carried out on its own, as by a bulk request with `mode=upsert`: a faulty row does not affect the others. The same caller may repeat the same confirmation, also after it broke off.',
} satisfies Declaration

const template = {
  path: `${all}/template`,
  tag: group,
  access: { company: 'view' },
  operationId: 'getImportTemplate',
  summary: 'Get a table with the headings that an import knows',
} satisfies Declaration

const kind = oneOf(importKinds).meta({ description: 'The records that the file holds.' })

export const importRoutes: readonly Route[] = [
  {
    ...uploading,
    method: 'post',
    params: paramsOf(uploading),
    query: z.strictObject({ kind }),
    headers: z.object({}),
    body: undefined,
    file: { mediaTypes: Object.values(mediaTypes), maxBytes: maxFileBytes },
    responses: { 200: { description: 'The proposal.', schema: proposal } },
    problems: [
      ...(['body-too-large', 'unsupported-media-type', 'document-infected', 'import-unreadable'] as const),
      ...(['documents-unavailable', 'documents-full', 'store-unavailable', 'too-many-large-reads'] as const),
      'too-many-imports',
    ],
    answer: answerUpload,
  },
  {
    ...confirming,
    method: 'post',
    params: paramsOf(confirming),
    query: z.strictObject({}),
    headers: z.object({}),
    body: confirmation,
    responses: {
      200: {
        description: 'The outcome of each row.',
        schema: confirmed,
        headers: ['Commit-Position', 'Projection-Status'],
      },
    },
    problems: [
      'import-not-found',
      'import-changed',
      'import-unreadable',
      'documents-unavailable',
      'too-many-large-reads',
      ...commandCodes,
    ],
    answer: answerConfirmation,
  },
  {
    ...template,
    method: 'get',
    params: paramsOf(template),
    query: z.strictObject({ kind: kind.default('certificates'), separator: oneOf(csvForms).optional() }),
    headers: z.object({}),
    body: undefined,
    responses: { 200: { description: 'The template.', mediaType: ['text/csv', xlsxType] } },
    problems: [],
    async answer({ req, res, query }) {
      const headings = templateOf(query.kind as ImportKind)
      const isSheet = new Negotiator(req).mediaType(['text/csv', xlsxType]) === xlsxType
      const form = query.separator as (typeof csvForms)[number] | undefined
      const rows = async function* () {
        yield [headings]
      }
      res.vary('Accept')
      await send(res, {
        status: 200,
        headers: {
          'Content-Type': isSheet ? xlsxType : csvType,
          'Content-Disposition': attachment(`${query.kind}.${isSheet ? 'xlsx' : 'csv'}`),
          'Cache-Control': 'private, no-cache',
        },
        body: isSheet
          ? await buffer(xlsxOf(rows()))
          : Buffer.from(csvStart(form) + csvLines([headings], form)),
      })
    },
  },
]

async function answerUpload(exchange: Exchange, services: Services): Promise<void> {
  const { req, params, query, caller } = exchange
  const kind = query.kind as ImportKind
  refuseKey(req.headers)
  await requireKind(exchange, kind)
  const objects = await services.documents.objects()
  await services.imports.refuseTooMany(params.companyId!)
  const importId = services.newId()
  const [fileKey, rowsKey] = [incomingKey(importId), incomingKey(services.newId())]
  try {
    const mediaType = mediaTypeOf(req)
    const { scan, arriving } = services.documents
    const { sha256 } = await arriving.run(params.companyId!, () =>
      receive(objects, importId, bodyOf(req), { mediaType }, scan, mediaTypeIn),
    )
    await exchange.requireAccess()
    const format = formats.find((one) => mediaTypes[one] === mediaType)!
    const file = { keys: [fileKey], kind, format, sha256 }
    // A client that reads slowly must not hold the proposal in memory.
    const proposal = await proposalOf(file, exchange, services, (rows) => objects.put(rowsKey, rows))
    await removeExpired(services)
    await objects.move(fileKey, importKey(importId))
    await services.imports.keep(params.companyId!, { importId, kind, format, sha256 }, caller!.id)
    await answerProposal(exchange, { importId, proposal }, (await objects.get(rowsKey))!.content)
  } finally {
    // If a deletion fails, a sweep removes the object.
    for (const key of [fileKey, rowsKey]) await objects.delete(key).catch(() => {})
  }
}

async function answerProposal(
  { res }: Exchange,
  { importId, proposal }: { importId: string; proposal: string },
  rows: Readable,
): Promise<void> {
  const parts = async function* () {
    yield `{"importId":"${importId}","proposal":"${proposal}","rows":[`
    yield* rows as AsyncIterable<Buffer>
    yield ']}'
  }
  res.statusCode = 200
  res.setHeader('Content-Type', 'application/json')
  res.setHeader('Cache-Control', 'no-store')
  await streamBody(res, parts())
}

async function answerConfirmation(exchange: Exchange, services: Services): Promise<void> {
  const { req, params, body, caller } = exchange
  const { companyId, importId } = params as { companyId: string; importId: string }
  refuseKey(req.headers)
  const { decisions = [], proposal: asked } = body as z.output<typeof confirmation>
  const row = await services.imports.find(companyId, importId)
  if (!row) throw notFound('import-not-found', importId)
  const keys = keysOfImport({ companyId, importId, sha256: row.sha256 })
  const bytes = await sizeOf(await services.documents.objects(), keys)
  if (bytes === undefined) throw notFound('import-not-found', importId)
  await requireKind(exchange, row.kind)
  const file = { ...row, keys }
  const asConfirmed = createHash('sha256')
    .update(JSON.stringify([asked, decisions, caller!.id]))
    .digest('hex')
  // The same confirmation of the same caller goes on where it broke off: its own records have changed the proposal.
  if (row.confirmed !== asConfirmed) {
    const rows = new Set<number>()
    const proposal = await proposalOf(file, exchange, services, undefined, (one) => rows.add(one))
    if (proposal !== asked) throw hasChanged()
    refuseUnknownRows(decisions, rows)
    const noted = { before: row.confirmed, now: asConfirmed }
    if (!(await services.imports.confirm(companyId, importId, noted))) throw hasChanged()
  }
  await record({ importId, file, bytes, decisions }, exchange, services)
}

/** Return the bytes of the object that has one of these keys; undefined when there is none. */
async function sizeOf(objects: ObjectStore, keys: readonly string[]): Promise<number | undefined> {
  for (const key of keys) {
    const found = await objects.head(key)
    if (found) return found.bytes
  }
  return undefined
}

function hasChanged(): Refusal {
  return conflict(
    'import-changed',
    'The file would be imported differently now, so nothing was recorded. Upload it again, and look at the new proposal.',
  )
}

interface Confirmed {
  readonly importId: string
  readonly file: ImportedFile
  readonly bytes: number
  readonly decisions: readonly Decision[]
}

async function record(confirmed: Confirmed, exchange: Exchange, services: Services) {
  const { importId, file, decisions } = confirmed
  const { res } = exchange
  const decided = Map.groupBy(decisions, ({ row }) => row)
  const run = importRuns[file.kind](exchange, services, false, file.sha256)
  const rows: object[] = []
  const originals: Awaited<ReturnType<typeof attachOriginal>>[] = []
  const decisionsOn = ({ row }: ReadRow) => decided.get(row) ?? []
  try {
    const read = rowsOf(file, exchange, services)
    for await (const done of carriedOut(read, (one) => carryOut(one, decisionsOn(one), run))) {
      const { line, ...answer } = done.outcome.answer
      const attached = await originalOf(done, decisionsOn(done.read), confirmed, exchange, services)
      if (attached) originals.push(attached)
      rows.push({ row: line, ...answer, ...(attached && { original: shownOriginal(attached) }) })
    }
    const isShown = (await run.untilShown()) && originals.every(({ isShown = true }) => isShown)
    const position = Math.max(run.position(), ...originals.map(({ position = 0 }) => position))
    await send(res, {
      status: 200,
      headers: {
        'Cache-Control': 'no-store',
        'Commit-Position': position || undefined,
        'Projection-Status': isShown ? undefined : 'pending',
      },
      body: { importId, rows },
    })
  } catch (error) {
    throw refusalOf(error)
  } finally {
    run.end()
  }
}

/** Attach the PDF that a certificate was imported from; undefined for any other file, and for a row that was refused. */
async function originalOf(
  { read, outcome }: Done,
  decisions: readonly Decision[],
  { importId, file, bytes }: Confirmed,
  exchange: Exchange,
  services: Services,
) {
  const { status, id: millCertificationId } = outcome.answer
  if (file.format !== 'pdf' || status >= 400 || millCertificationId === undefined) return undefined
  const { certificateNumber } = contentOf(read, decisions) as { certificateNumber: string }
  const original = { companyId: exchange.params.companyId!, importId, sha256: file.sha256, bytes }
  return attachOriginal(original, { millCertificationId, certificateNumber }, exchange, services)
}

function shownOriginal({ documentId, status, code, detail }: AttachedOriginal): AttachedOriginal {
  return { documentId, status, ...(code !== undefined && { code, detail: detail! }) }
}

/** Certificates are imported by those who register them, orders and plans by those who plan. @throws Refusal 403 */
async function requireKind({ principal, params }: Exchange, kind: ImportKind): Promise<void> {
  if (kind === 'certificates') return
  if (!(await mayOf(principal!, params.companyId!, 'plan')())) throw forbidden()
}

/** Return the media type that the beginning of a file shows. */
async function mediaTypeIn(head: Buffer): Promise<string | undefined> {
  const format = formatOf(head)
  return format && mediaTypes[format]
}

/** Each upload removes some imports that are too old, the object before its row: a row is what finds an object. */
async function removeExpired({ imports, documents }: Services): Promise<void> {
  const expired = await imports.expired()
  if (expired.length === 0) return
  const objects = await documents.objects()
  for (const importId of expired) {
    await objects.delete(importKey(importId))
    await imports.forget(importId)
  }
}

import type { Readable } from 'node:stream'
import type { Response } from 'express'
import Negotiator from 'negotiator'
import { z } from 'zod'
import { entrySubjects } from '../../domain/audit/audited.ts'
import type { Language } from '../../domain/verdict/findingTexts.ts'
import { toldIn } from '../../domain/verdict/sentence.ts'
import type { Cell } from '../../lib/sheets/cells.ts'
import { csvLines, csvStart, csvType } from '../../lib/sheets/csv.ts'
import { listTrail, trailFilters, trailReads } from '../../projections/audit/entryQueries.ts'
import { log } from '../../projections/audit/log.ts'
import { linesType } from '../kit/body/lines.ts'
import { parameterPlace } from '../kit/body/validate.ts'
import { filterParameters, readFilters } from '../kit/lists/filterParameters.ts'
import { listRoute } from '../kit/lists/listRoute.ts'
import { streamText, watchTaking } from '../kit/lists/streamList.ts'
import { validationFailed } from '../kit/problem.ts'
import { attachmentHeader } from '../kit/routing/attachment.ts'
import { declareLanguage, languageFor } from '../kit/routing/contentLanguage.ts'
import { minPosition, waitUntilReached } from '../kit/routing/minPosition.ts'
import { type Declaration, type Exchange, paramsOf, type Route } from '../kit/routing/route.ts'
import type { Services } from '../kit/services.ts'
import { auditEntry } from './auditEntry.ts'

/** The whole history of a company, for auditors: as a list and as an export. */

const entry = auditEntry(z.enum(entrySubjects), z.string()).meta({ id: 'AuditTrailEntry' })
type Entry = z.output<typeof entry>

const trail = listRoute({
  path: '/api/company/{companyId}/audit',
  tag: 'Audit',
  operationId: 'listAuditTrail',
  summary: 'List every event of the company in plain words, newest first',
  description:
    'An event is about one record: `subject.type` is `other` for an event that this release does not know. Changes of accounts belong to no company and are not listed.',
  access: { company: 'audit' },
  reads: trailReads,
  filters: trailFilters,
  rows: (reading, { params, filterValues }, page) => listTrail(reading, { ...params, filterValues }, page),
  sortKey: z.tuple([z.int()]),
  item: entry,
})

/** The columns of the audit trail as CSV. */
const columns: Readonly<Record<string, (entry: Entry, language: Language) => Cell>> = {
  position: ({ position }) => position,
  eventId: ({ eventId }) => eventId,
  occurredAt: ({ occurredAt }) => occurredAt,
  performedAt: ({ performedAt }) => performedAt,
  actorId: ({ actor }) => actor.id,
  actorKind: ({ actor }) => actor.kind,
  actorName: ({ actor }) => actor.name,
  kind: ({ kind }) => kind,
  subjectType: ({ subject }) => subject.type,
  subjectId: ({ subject }) => subject.id,
  subjectLabel: ({ subject }) => subject.label,
  message: (entry, language) => toldIn(language, entry),
  changes: ({ changes }) => JSON.stringify(changes),
  correlationId: ({ correlationId }) => correlationId,
}

const zip = 'application/zip'
const csv = 'text/csv'

const exported: Declaration & { readonly path: `/${string}` } = {
  path: '/api/company/{companyId}/audit/export',
  tag: 'Audit',
  operationId: 'exportAuditTrail',
  summary: 'Export every event of the company, with a signed checkpoint',
  description: `A ZIP file with the events, the tree of their hashes and a signature, which "heatmark audit verify" checks offline. With \`Accept: ${linesType}\` the answer is the file \`events.ndjson\` alone, which is not signed. Both always hold the whole history, so only a few run at once. With \`Accept: ${csv}\` the answer is the audit trail in plain words, in the language of \`Accept-Language\`, which the filters narrow; \`changes\` is JSON.`,
  access: { company: 'audit' },
}

export const auditRoutes: readonly Route[] = [
  trail,
  {
    ...exported,
    method: 'get',
    params: paramsOf(exported),
    query: z.strictObject(filterParameters(trailFilters)),
    headers: z.object({ 'min-position': minPosition }),
    body: undefined,
    responses: {
      200: { description: 'The export.', mediaType: [zip, linesType, csv], headers: ['Read-Position'] },
    },
    problems: [
      ...(['history-diverged', 'signing-key-missing', 'signing-key-differs', 'signing-failed'] as const),
      ...(['store-unavailable', 'event-damaged', 'too-many-large-reads'] as const),
    ],
    async answer(exchange, services) {
      const { exports } = services
      const companyId = exchange.params.companyId!
      const type = new Negotiator(exchange.req).mediaType([zip, linesType, csv]) ?? zip
      if (type === csv) return exportTrail(exchange, services)
      const faults = Object.keys(readFilters(trailFilters, exchange.query)).map(onlyForCsv)
      if (faults.length > 0) throw validationFailed(faults)
      await waitUntilReached(services, [log], exchange.headers['min-position'])
      const write = type === zip ? exports.zip : exports.lines
      await write(companyId, (position, content) => stream(exchange, { companyId, type, position, content }))
    },
  },
]

/** Send the audit trail as CSV, from one snapshot of the read models. */
async function exportTrail(
  { params, query, headers, res, requireAccess }: Exchange,
  services: Services,
): Promise<void> {
  const companyId = params.companyId!
  const filterValues = readFilters(trailFilters, query)
  await waitUntilReached(services, trailReads, headers['min-position'])
  await services.reader.stream(companyId, trailReads, async (reading) => {
    // The request may have waited a long time for its turn.
    if (res.destroyed) return
    await requireAccess()
    setFile(res, companyId, 'csv')
    const portions = reading.portions<Entry>(await listTrail(reading, { companyId, filterValues }))
    declareLanguage(res)
    await streamText(res, reading, csvParts(portions, languageFor(res.req)), csvType)
  })
}

async function* csvParts(
  portions: AsyncIterable<readonly Entry[]>,
  language: Language,
): AsyncIterable<string> {
  yield csvStart() + csvLines([Object.keys(columns)])
  const cells = Object.values(columns)
  for await (const entries of portions)
    yield csvLines(entries.map((entry) => cells.map((cell) => cell(entry, language))))
}

function onlyForCsv(name: string) {
  return {
    ...parameterPlace(name),
    code: 'unknown-parameter',
    message: `applies to ${csv} alone, because any other export holds the whole history`,
  } as const
}

/** Name the file that a browser saves. The answer depends on `Accept`. */
function setFile(res: Response, companyId: string, ending: string): void {
  res.setHeader('Content-Disposition', attachmentHeader(`heatmark-${companyId}.${ending}`))
  res.vary('Accept')
}

interface Streamed {
  readonly companyId: string
  readonly type: string
  readonly position: number
  readonly content: Readable
}

/** Send as fast as the client reads. An error in mid-stream breaks the connection, so that no part looks whole. */
async function stream(
  { req, res, requireAccess }: Exchange,
  { companyId, type, position, content }: Streamed,
): Promise<void> {
  try {
    await requireAccess()
    res.statusCode = 200
    res.setHeader('Content-Type', type)
    setFile(res, companyId, type === zip ? 'zip' : 'ndjson')
    res.setHeader('Cache-Control', 'private, no-store')
    res.setHeader('Read-Position', position)
    if (req.method !== 'HEAD') {
      res.flushHeaders()
      const taken = watchTaking(res)
      for await (const bytes of content) if (!(await taken(bytes))) return
    }
    res.end()
  } finally {
    content.destroy()
  }
}

import { buffer } from 'node:stream/consumers'
import Negotiator from 'negotiator'
import { z } from 'zod'
import { maxFileBytes } from '../../documents/receive.ts'
import { importDays } from '../../imports/importRows.ts'
import { type ImportKind, importKinds, templateOf } from '../../imports/read.ts'
import { csvForms, csvLines, csvStart, csvType } from '../../lib/sheets/csv.ts'
import { xlsxOf, xlsxType } from '../../lib/sheets/xlsx.ts'
import { attachmentHeader } from '../kit/routing/attachment.ts'
import { commandCodes } from '../kit/routing/problemCodes.ts'
import { send } from '../kit/routing/respond.ts'
import { type Declaration, paramsOf, type Route } from '../kit/routing/route.ts'
import { oneOf } from '../kit/schemas/fields.ts'
import { answerImport } from './answerProposal.ts'
import { answerConfirmation } from './confirm.ts'
import { confirmation, confirmed, proposal } from './schemas.ts'
import { answerUpload, mediaTypes } from './upload.ts'

/** Imports: a file is read, a person looks at the proposal and confirms it. Nothing is recorded before. */

const all = '/api/company/{companyId}/imports'
const group = 'Imports'
const access = { company: 'certify' } as const

const uploading = {
  path: all,
  tag: group,
  access,
  operationId: 'proposeImport',
  summary: 'Read a file, and propose what to record',
  description: `The body is the file: CSV, a spreadsheet (XLSX), or, for certificates, a digital certificate as JSON (EN 10168 v0.4.1 and v0.5.0, Metals passport v0.1.1, MillTestReportCredential of W3C) or a PDF, a JPEG, a PNG or a TIFF, also a scan of up to 5 pages; for orders, NC1 of DSTV as text/plain; of at most ${maxFileBytes} bytes and 10,000 rows. Nothing is recorded. The rows are kept for ${importDays} days, for the confirmation, and so is a PDF or scan.`,
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

const getting = {
  path: `${all}/{importId}`,
  tag: group,
  access,
  operationId: 'getImport',
  summary: 'Get what an import proposes now',
  description: 'After a confirmation, rows that failed can be corrected by decisions and confirmed again.',
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
      ...([
        'documents-unavailable',
        'documents-full',
        'store-unavailable',
        'event-damaged',
        'too-many-large-reads',
      ] as const),
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
        headers: ['Commit-Position'],
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
      const readRows = async function* () {
        yield [headings]
      }
      res.vary('Accept')
      await send(res, {
        status: 200,
        headers: {
          'Content-Type': isSheet ? xlsxType : csvType,
          'Content-Disposition': attachmentHeader(`${query.kind}.${isSheet ? 'xlsx' : 'csv'}`),
          'Cache-Control': 'private, no-cache',
        },
        body: isSheet
          ? await buffer(xlsxOf(readRows()))
          : Buffer.from(csvStart(form) + csvLines([headings], form)),
      })
    },
  },
  {
    ...getting,
    method: 'get',
    params: paramsOf(getting),
    query: z.strictObject({}),
    headers: z.object({}),
    body: undefined,
    responses: { 200: { description: 'The proposal.', schema: proposal } },
    problems: ['import-not-found', 'import-unreadable', 'documents-unavailable', 'documents-full'],
    answer: answerImport,
  },
]

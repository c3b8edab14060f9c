import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Request, Response } from 'express'
import Negotiator from 'negotiator'
import type { Cell } from '../../../lib/sheets/cells.ts'
import { type CsvForm, csvForms, csvLines, csvStart, csvType } from '../../../lib/sheets/csv.ts'
import { xlsxOf, xlsxType } from '../../../lib/sheets/xlsx.ts'
import { attachmentHeader } from '../routing/attachment.ts'
import { cachingOf } from '../routing/caching.ts'
import type { Exchange } from '../routing/route.ts'
import { oneOf } from '../schemas/fields.ts'
import { streamText, watchTaking } from './streamList.ts'
import type { TableColumn } from './tableColumns.ts'

/** A list as a table: CSV or a spreadsheet, by Accept. */

export const tableTypes = ['text/csv', xlsxType] as const
type TableType = (typeof tableTypes)[number]

export const separatorParameter = {
  separator: oneOf(csvForms).optional().meta({
    description:
      'With `Accept: text/csv`: `semicolon` for spreadsheets where the comma is the decimal sign. Numbers then have a decimal comma.',
  }),
}

export interface TableRequest {
  readonly type: TableType
  readonly form: CsvForm
  readonly columns: readonly TableColumn[]
}

/** Return the table that a request asks for; undefined when it asks for JSON. */
export function negotiateTable(
  { req, query }: Exchange,
  columns: () => readonly TableColumn[],
): TableRequest | undefined {
  if (req.headers.accept === undefined) return undefined
  const type = new Negotiator(req).mediaType(['application/json', ...tableTypes])
  if (type !== 'text/csv' && type !== xlsxType) return undefined
  return { type, form: (query.separator as CsvForm | undefined) ?? 'comma', columns: columns() }
}

/** Portions of records. */
type Portions = AsyncIterable<readonly object[]>

/** Return the whole table. */
export async function tableBytes(table: TableRequest, records: readonly object[]): Promise<Buffer> {
  const portions = async function* () {
    yield records
  }
  if (table.type === xlsxType) return buffer(sheetOf(table, portions()))
  const parts: string[] = []
  for await (const part of csvOf(table, portions())) parts.push(part)
  return Buffer.from(parts.join(''))
}

/** Send a table in portions, as fast as the client reads. An error in mid-stream breaks the connection. */
export async function streamTable(
  table: TableRequest,
  res: Response,
  reading: { readonly position: number },
  portions: Portions,
): Promise<void> {
  if (table.type !== xlsxType) return streamText(res, reading, csvOf(table, portions), csvType)
  res.statusCode = 200
  res.setHeader('Content-Type', xlsxType)
  res.setHeader('Cache-Control', cachingOf(res.req))
  res.setHeader('Read-Position', reading.position)
  if (res.req.method === 'HEAD') {
    res.end()
    return
  }
  const sheet = sheetOf(table, portions)
  try {
    const taken = watchTaking(res)
    for await (const bytes of sheet) if (!(await taken(bytes as Buffer))) return
    res.end()
  } finally {
    sheet.destroy()
  }
}

/** Name the kind of the answer, and the file that a browser makes of it. */
export function nameTable({ type }: TableRequest, req: Request, res: Response): void {
  const name = req.path.split('/').at(-1)
  res.setHeader('Content-Type', type === xlsxType ? type : csvType)
  res.setHeader('Content-Disposition', attachmentHeader(`${name}.${type === xlsxType ? 'xlsx' : 'csv'}`))
}

type CsvTable = Pick<TableRequest, 'columns'> & { readonly form?: CsvForm }

async function* csvOf(table: CsvTable, portions: Portions): AsyncIterable<string> {
  yield csvHeading(table)
  for await (const records of portions) yield csvRows(table, records)
}

/** Return the beginning of a CSV text, with the names of the columns. */
export function csvHeading({ columns, form }: CsvTable): string {
  return csvStart(form) + csvLines([headingsOf(columns)], form)
}

export function csvRows({ columns, form }: CsvTable, records: readonly object[]): string {
  return csvLines(cellsOf(columns, records), form)
}

function sheetOf({ columns }: TableRequest, portions: Portions): Readable {
  const rows = async function* () {
    yield [headingsOf(columns)]
    for await (const records of portions) yield cellsOf(columns, records)
  }
  return xlsxOf(rows())
}

function headingsOf(columns: readonly TableColumn[]): Cell[] {
  return columns.map(({ heading }) => heading)
}

function* cellsOf(columns: readonly TableColumn[], records: readonly object[]): Iterable<Cell[]> {
  for (const record of records) yield columns.map(({ cell }) => cell(record))
}

import { readCertificateJson } from './certificates/json.ts'
import { parseJson } from './json.ts'
import { isNc1, readNc1 } from './nc1.ts'
import type { ReadRow } from './readRow.ts'
import type { PictureFormat } from './scans/drawPages.ts'
import {
  certificateColumns,
  readCertificateTable,
  recogniseCertificateHeading,
} from './tables/certificates.ts'
import { readCsv } from './tables/csv.ts'
import type { ColumnField } from './tables/fields.ts'
import type { Recognise } from './tables/findHeadings.ts'
import { type DataRow, dataRows } from './tables/headings.ts'
import { orderColumns, readOrderTable, recogniseOrderHeading } from './tables/orders.ts'
import { planColumns, readPlanTable, recognisePlanHeading } from './tables/plans.ts'
import type { Table } from './tables/table.ts'
import { unreadable } from './unreadable.ts'

/** Read a file of any kind that an import takes. */

export const importKinds = ['certificates', 'orders', 'plans'] as const
export type ImportKind = (typeof importKinds)[number]

export type ImportFormat = 'csv' | 'nc1' | 'xlsx' | 'json' | 'pdf' | PictureFormat

interface KindOfTable {
  readonly columns: readonly ColumnField[]
  readonly recognise: Recognise
  /** No row is yielded before the last one is read. Throws Failure `unreadable`. */
  read(rows: AsyncIterable<DataRow>): AsyncIterable<ReadRow>
}

const tables: Readonly<Record<ImportKind, KindOfTable>> = {
  certificates: {
    columns: certificateColumns,
    recognise: recogniseCertificateHeading,
    read: readCertificateTable,
  },
  orders: { columns: orderColumns, recognise: recogniseOrderHeading, read: readOrderTable },
  plans: { columns: planColumns, recognise: recognisePlanHeading, read: readPlanTable },
}

/** Return the headings of the template. */
export function templateOf(kind: ImportKind): readonly string[] {
  return tables[kind].columns.map(({ field }) => field)
}

/** Return the format that the beginning of a file shows; undefined for a program, a picture or another archive. */
export function formatOf(bytes: Uint8Array): ImportFormat | undefined {
  const start = Buffer.from(bytes.subarray(0, 4_096))
  if (start.subarray(0, 4).equals(Buffer.from('PK\x03\x04'))) return 'xlsx'
  if (/^\s*%PDF-/.test(start.toString('latin1'))) return 'pdf'
  if (start.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'jpeg'
  if (start.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))) return 'png'
  if (/^(?:II\*\0|MM\0\*)/.test(start.toString('latin1'))) return 'tiff'
  if (/^\uFEFF?\s*[{[]/.test(start.toString('utf8'))) return 'json'
  if (isNc1(start.toString('latin1'))) return 'nc1'
  const isUtf16 = /^(?:\xFF\xFE|\xFE\xFF)/.test(start.toString('latin1'))
  return bytes.length > 0 && (isUtf16 || !start.includes(0)) ? 'csv' : undefined
}

/** A file to read. */
export interface ImportFile {
  readonly kind: ImportKind
  readonly format: ImportFormat
  readonly bytes: Uint8Array
}

/** The reader of PDF takes 0.1 s to load. */
const pdfReader = () => import('./pdf/certificates.ts')
const tiffReader = () => import('./scans/tiffPages.ts')
/** The networks that read scans take 1.5 s to load. */
const scanReader = () => import('./scans/certificates.ts')
/** Most imported files are no spreadsheets, and loading this reader takes a fifth of the time of a start. */
const spreadsheetReader = () => import('./tables/xlsx.ts')

export function isPicture(format: ImportFormat): format is PictureFormat {
  return format === 'jpeg' || format === 'png' || format === 'tiff'
}

/** Load the programs that the file needs. */
export async function loadReader({ format }: Pick<ImportFile, 'format'>): Promise<void> {
  if (format === 'pdf') await (await pdfReader()).loadPdfJs()
  if (format === 'xlsx') await spreadsheetReader()
}

/** A file of several pages may hold several certificates. */
export function hasPages(format: ImportFormat): format is 'pdf' | 'tiff' {
  return format === 'pdf' || format === 'tiff'
}

/** Some pages of a file. */
export interface SomePages {
  readonly format: 'pdf' | 'tiff'
  /** From 1. */
  readonly pages: readonly number[]
}

/** Return some pages of a file as a file of the same format. @throws Failure `unreadable` */
export async function readPages({ format, pages }: SomePages, bytes: Uint8Array): Promise<Uint8Array> {
  if (format === 'tiff') return (await tiffReader()).extractTiffPages(bytes, pages)
  return (await pdfReader()).extractPages(bytes, pages)
}

/**
 * Read the records of a file. This runs in a process of its own, because a hostile file may take long.
 * @param onScan called when the file turns out to be a scan, which takes longer
 * @throws Failure `unreadable`
 */
export async function* readFile(
  { kind, format, bytes }: ImportFile,
  onScan: () => void = () => {},
): AsyncIterable<ReadRow> {
  if (format === 'nc1') {
    if (kind !== 'orders') throw unreadable('other-kind', 'Only orders are imported from NC1. Choose orders.')
    yield readNc1(bytes)
    return
  }
  const isAlone = format !== 'csv' && format !== 'xlsx'
  if (isAlone && kind !== 'certificates')
    throw unreadable(
      'other-kind',
      `Only certificates are imported from ${format.toUpperCase()}. Send a table.`,
    )
  if (format === 'pdf') {
    const { readPdf } = await pdfReader()
    yield* await readPdf(bytes, onScan)
    return
  }
  if (isPicture(format)) {
    onScan()
    const { readScannedCertificates } = await scanReader()
    yield* await readScannedCertificates(format, bytes)
    return
  }
  if (format === 'json') {
    yield* readCertificateJson(jsonIn(bytes))
    return
  }
  const { recognise } = tables[kind]
  yield* readTable(kind, format === 'csv' ? readCsv(bytes, recognise) : await readSpreadsheet(bytes))
}

/**
 * Read the records of a table. The first of them names the columns that no field takes. @throws Failure `unreadable`
 */
export async function* readTable(kind: ImportKind, table: Table): AsyncIterable<ReadRow> {
  const { recognise, read } = tables[kind]
  const data = dataRows(table, recognise)
  let isFirst = true
  for await (const row of read(data.rows)) {
    const notTaken = isFirst ? data.notTaken() : []
    isFirst = false
    yield notTaken.length > 0 ? { ...row, notTaken } : row
  }
}

async function readSpreadsheet(bytes: Uint8Array): Promise<Table> {
  const { readXlsx } = await spreadsheetReader()
  return { isSpreadsheet: true, rows: await readXlsx(bytes) }
}

function jsonIn(bytes: Uint8Array): unknown {
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw unreadable('damaged', 'This file is not JSON in UTF-8. Ask for it again.')
  }
}

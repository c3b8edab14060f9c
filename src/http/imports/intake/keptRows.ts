import { pipeline, Readable } from 'node:stream'
import { createGunzip, createGzip } from 'node:zlib'
import { importRowsKey, type ObjectStore } from '../../../documents/objects.ts'
import type { ReadRow } from '../../../imports/readRow.ts'
import { joinRows, piecesOf, type RowPiece } from '../../../imports/rowPieces.ts'
import { unreadable } from '../../../imports/unreadable.ts'
import { Failure } from '../../../lib/failure.ts'

/** The rows that were read from a file are kept with its import: reading them again takes minutes, if it is a scan. */

/** The most characters of all rows as JSON. 10,000 certificates of 40 values take half of them. */
const longestRows = 67_108_864

/** @throws Failure `unreadable`; the errors of `rows` */
export async function keepRows(
  objects: ObjectStore,
  importId: string,
  rows: AsyncIterable<ReadRow>,
): Promise<void> {
  await objects.put(importRowsKey(importId), pipeline(Readable.from(linesOf(rows)), createGzip(), ignore))
}

/** The reader or writer of the last stream of a pipeline hears its error as well. */
function ignore(): void {}

async function* linesOf(rows: AsyncIterable<ReadRow>): AsyncIterable<string> {
  let length = 0
  for await (const row of rows)
    for (const piece of piecesOf(row)) {
      const line = `${JSON.stringify(piece)}\n`
      length += line.length
      if (length > longestRows)
        throw unreadable('too-large', `The file has more than ${longestRows} characters of values. Split it.`)
      yield line
    }
}

/** @throws Failure `objects-unavailable` when the rows are missing */
export function readKeptRows(objects: ObjectStore, importId: string): AsyncIterable<ReadRow> {
  return joinRows(readKeptPieces(objects, importId))
}

async function* readKeptPieces(objects: ObjectStore, importId: string): AsyncIterable<RowPiece> {
  const opened = await objects.get(importRowsKey(importId))
  if (!opened) throw new Failure('objects-unavailable', `the rows of the import ${importId} are missing`)
  const text = pipeline(opened.content, createGunzip(), ignore).setEncoding('utf8')
  let rest = ''
  for await (const chunk of text) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()!
    for (const line of lines) yield JSON.parse(line) as RowPiece
  }
}

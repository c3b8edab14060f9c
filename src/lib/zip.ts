import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import { type Measures, measure } from './measured.ts'

/** A ZIP file that is written entry by entry, so that only the entry under way is in memory, in portions. */

export interface Entry {
  readonly path: string
  readonly content: string | Buffer | AsyncIterable<Uint8Array | string>
  /** Files such as PDF are compressed already. */
  readonly isCompressed?: boolean
}

/** A file as the manifest lists it. */
export interface ListedFile extends Measures {
  readonly path: string
}

/**
 * Write the entries, and behind them the manifest of all of them, if there is one. The same entries give the same bytes.
 * @param manifestOf returns the last entry
 * @returns the bytes of the file, as a stream that fails with the error of an entry
 */
export function zipOf(
  entries: AsyncIterable<Entry>,
  manifestOf?: (files: readonly ListedFile[]) => Entry,
): Readable {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  zip.on('error', (error) => output.destroy(error))
  // It may fail before anybody reads it. The later reader still gets the failure.
  output.on('error', () => {})
  void writeAll(zip, output, entries, manifestOf).catch((error: Error) => output.destroy(error))
  return output
}

/** The time of every entry. It has no zone, so every machine writes the same bytes. */
const filed = { mtime: new Date(2000, 0, 1), forceDosTimestamp: true, mode: 0o100644 } as const

async function writeAll(
  zip: ZipFile,
  output: Readable,
  entries: AsyncIterable<Entry>,
  manifestOf?: (files: readonly ListedFile[]) => Entry,
): Promise<void> {
  const files: ListedFile[] = []
  const write = async ({ path, content, isCompressed = false }: Entry) => {
    const written = measure(chunksOf(content))
    const stream = Readable.from(written.content, { objectMode: false, highWaterMark: 65_536 })
    // Nobody reads the entry to its end when the reader of the file has gone.
    const abandon = () => stream.destroy()
    output.once('close', abandon)
    zip.addReadStream(stream, path, { ...filed, compress: !isCompressed })
    await finished(stream)
    output.off('close', abandon)
    const { bytes, sha256 } = written.measures()
    files.push({ path, bytes, sha256 })
  }
  for await (const entry of entries) {
    // The reader has gone while the entry was made.
    if (output.destroyed) return
    await write(entry)
  }
  if (manifestOf) await write(manifestOf([...files]))
  zip.end()
}

async function* chunksOf(content: Entry['content']): AsyncIterable<Buffer> {
  const whole = typeof content === 'string' || Buffer.isBuffer(content)
  for await (const chunk of whole ? [content] : content) if (chunk.length > 0) yield Buffer.from(chunk)
}

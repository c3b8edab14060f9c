import type { Readable } from 'node:stream'
import { createGatheredBytes } from './gatheredBytes.ts'

/** Split a body into lines as it arrives, with one line in memory. */

export interface LineLimits {
  /** The most lines that are not blank. */
  readonly lines: number
  /** The most bytes of one line, without its line break. */
  readonly lineBytes: number
  /** The most bytes of all lines. */
  readonly bytes: number
}

/** One line that is not blank: `number` counts all lines, from 1. */
export interface Line {
  readonly number: number
  /** Undefined for a line beyond a limit. */
  readonly bytes: Buffer | undefined
  readonly fault?: 'line-too-long' | 'too-many-lines' | 'body-too-large'
}

const newline = 0x0a

/**
 * Yield the lines of a body. A last line without a line break counts, unless the body is incomplete. The first
 * line beyond a limit of the whole body is the last one: what follows is ignored.
 * @throws Error when the connection breaks
 */
export async function* linesOf(body: Readable, limits: LineLimits): AsyncIterable<Line> {
  let number = 0
  let count = 0
  let total = 0
  const held = createGatheredBytes()
  let heldBytes = 0

  const keep = (part: Buffer): void => {
    heldBytes += part.length
    if (heldBytes <= limits.lineBytes + 1) held.add(part)
  }
  const take = (): Line | undefined => {
    const bytes = held.take()
    const line = heldBytes <= limits.lineBytes + 1 ? trimmed(bytes) : undefined
    number += 1
    heldBytes = 0
    if (line?.length === 0) return undefined
    count += 1
    if (count > limits.lines) return { number, bytes: undefined, fault: 'too-many-lines' }
    if (line && line.length <= limits.lineBytes) return { number, bytes: line }
    return { number, bytes: undefined, fault: 'line-too-long' }
  }

  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    total += chunk.length
    if (total > limits.bytes) {
      if (count <= limits.lines) yield { number: number + 1, bytes: undefined, fault: 'body-too-large' }
      return
    }
    // Read to the end all the same, so that the connection stays usable.
    if (count > limits.lines) continue
    let start = 0
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      keep(chunk.subarray(start, end))
      const line = take()
      if (line) yield line
      if (count > limits.lines) break
      start = end + 1
    }
    if (start < chunk.length) keep(chunk.subarray(start))
  }
  const last = heldBytes > 0 && count <= limits.lines ? take() : undefined
  if (last) yield last
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d
}

/** Trim the white space that JSON allows around a value. A blank line becomes empty. */
function trimmed(line: Buffer): Buffer {
  let start = 0
  let end = line.length
  while (start < end && isSpace(line[start]!)) start += 1
  while (end > start && isSpace(line[end - 1]!)) end -= 1
  return line.subarray(start, end)
}

import type { Readable } from 'node:stream'
import { createGatheredBytes } from './gatheredBytes.ts'

/** Split a body into lines as it arrives, with one line in memory. */

interface LineLimits {
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

/** The media type of a text of which each line is a JSON value. */
export const linesType = 'application/x-ndjson'

const newline = 0x0a

/**
 * Yield the lines of a body. A last line without a line break counts, unless the body is incomplete. The first
 * line beyond a limit of the whole body is the last one. What follows is read and discarded, so that the connection
 * stays usable.
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
    const line = heldBytes <= limits.lineBytes + 1 ? trim(bytes) : undefined
    number += 1
    heldBytes = 0
    if (line?.length === 0) return undefined
    count += 1
    if (count > limits.lines) return { number, bytes: undefined, fault: 'too-many-lines' }
    if (line && line.length <= limits.lineBytes) return { number, bytes: line }
    return { number, bytes: undefined, fault: 'line-too-long' }
  }

  let isOver = false
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    if (isOver) continue
    const part = chunk.subarray(0, limits.bytes - total)
    total += chunk.length
    let start = 0
    for (let end = part.indexOf(newline); end >= 0; end = part.indexOf(newline, start)) {
      keep(part.subarray(start, end))
      const line = take()
      if (line) yield line
      start = end + 1
      isOver = count > limits.lines
      if (isOver) break
    }
    if (isOver) continue
    if (start < part.length) keep(part.subarray(start))
    isOver = total > limits.bytes
    if (isOver) yield { number: number + 1, bytes: undefined, fault: 'body-too-large' }
  }
  const last = heldBytes > 0 && !isOver ? take() : undefined
  if (last) yield last
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d
}

/** Trim the white space that JSON allows around a value. A blank line becomes empty. */
function trim(line: Buffer): Buffer {
  let start = 0
  let end = line.length
  while (start < end && isSpace(line[start]!)) start += 1
  while (end > start && isSpace(line[end - 1]!)) end -= 1
  return line.subarray(start, end)
}

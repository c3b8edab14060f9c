/** What the metadata of a stream say about which of its events are to be seen. */
export interface StreamMetadata {
  /** Seconds. */
  maxAge: number | undefined
  maxCount: number | undefined
  /** The first revision to be seen. */
  truncateBefore: number
  softDeleted: boolean
}

export const noMetadata: StreamMetadata = {
  maxAge: undefined,
  maxCount: undefined,
  truncateBefore: 0,
  softDeleted: false,
}

/** Of a metadata stream only the last event is to be seen. */
export const metastreamMetadata: StreamMetadata = { ...noMetadata, maxCount: 1 }

/** 2⁶³ − 1 as JSON.parse reads it: the `$tb` of a soft deleted stream. */
const DELETED = 2 ** 63

/** The data of the `$metadata` event that a soft delete writes. */
export const softDeleteMetadata = Buffer.from('{"$tb":9223372036854775807}')

export function metastreamOf(stream: string): string {
  return `$$${stream}`
}

/** The stream that a metadata stream is about; undefined when this is none. */
export function originalOf(stream: string): string | undefined {
  return stream.startsWith('$$') ? stream.slice(2) : undefined
}

/** Reads the data of a `$metadata` event. Data that make no sense count as none, as on a real server. */
export function parseMetadata(data: Uint8Array): StreamMetadata {
  const json = parseObject(data)
  const { $maxAge: maxAge, $maxCount: maxCount, $tb: tb = 0 } = json ?? {}
  if (!isCount(maxAge, 1) || !isCount(maxCount, 1) || !isCount(tb, 0)) return noMetadata
  return { maxAge, maxCount, truncateBefore: tb as number, softDeleted: (tb as number) >= DELETED }
}

/**
 * The metadata after an append to a soft deleted stream: as they were, with everything before the new
 * events still out of sight. Undefined when they cannot be read.
 */
export function undelete(data: Uint8Array, firstRevision: number): Uint8Array | undefined {
  const json = parseObject(data)
  return json && Buffer.from(JSON.stringify({ ...json, $tb: firstRevision }))
}

/** The first revision to be seen of a stream whose last event has the revision `head`. */
export function firstVisible(metadata: StreamMetadata, head: number): number {
  const byCount = metadata.maxCount === undefined ? 0 : head - metadata.maxCount + 1
  return Math.max(metadata.truncateBefore, byCount, 0)
}

function isCount(value: unknown, least: number): value is number | undefined {
  return value === undefined || (typeof value === 'number' && Number.isInteger(value) && value >= least)
}

function parseObject(data: Uint8Array): Record<string, unknown> | undefined {
  try {
    const json: unknown = JSON.parse(Buffer.from(data).toString())
    return typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** The part of a stream's metadata that the node honours: `$tb`, which a soft delete sets. */
export interface StreamMetadata {
  /** The first revision that reads show. */
  truncateBefore: number
  softDeleted: boolean
}

export const noMetadata: StreamMetadata = { truncateBefore: 0, softDeleted: false }

/** The data of the `$metadata` event that a soft delete writes. */
export const softDeleteMetadata = Buffer.from('{"$tb":9223372036854775807}')

/** 2⁶³ − 1 as JSON.parse reads it: the `$tb` of a soft deleted stream. */
const DELETED = 2 ** 63

export function metastreamOf(stream: string): string {
  return `$$${stream}`
}

/** The stream that a metadata stream belongs to; undefined for any other stream. */
export function originalOf(stream: string): string | undefined {
  return stream.startsWith('$$') ? stream.slice(2) : undefined
}

/** Reads the data of a `$metadata` event. Data without a usable `$tb` count as none, as on a real server. */
export function parseMetadata(data: Uint8Array): StreamMetadata {
  const tb = parseObject(data)?.$tb
  if (typeof tb !== 'number' || !Number.isInteger(tb) || tb < 0) return noMetadata
  return { truncateBefore: tb, softDeleted: tb >= DELETED }
}

/**
 * The metadata after an append to a soft deleted stream: unchanged, except that reads now show the events
 * from `firstRevision` on. Undefined when they are not a JSON object.
 */
export function undelete(data: Uint8Array, firstRevision: number): Uint8Array | undefined {
  const json = parseObject(data)
  return json && Buffer.from(JSON.stringify({ ...json, $tb: firstRevision }))
}

function parseObject(data: Uint8Array): Record<string, unknown> | undefined {
  try {
    const json: unknown = JSON.parse(Buffer.from(data).toString())
    return typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

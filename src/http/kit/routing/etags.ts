import { createHash } from 'node:crypto'

/**
 * ETags (RFC 9110, 8.8.3). They are strong: another body has another ETag. The ETag of a record holds the record's own
 * revision before the hash of the body, because a body also shows values that are not the record's own, such as counts
 * and tags.
 */

export function etagOfBody(bytes: Uint8Array): string {
  return `"${hashOf(bytes)}"`
}

export function etagOfRecord(revision: number, bytes: Uint8Array): string {
  return `"${revision}-${hashOf(bytes)}"`
}

/** The ETag of an answer without a body. There is nothing to hash, so it has the revision alone. `If-Match` accepts it. */
export function etagOfRevision(revision: number): string {
  return `"${revision}"`
}

/** Return the revision in the ETag of a record; undefined for any other ETag, and for a weak one. */
export function revisionIn(etag: string): number | undefined {
  const [, revision] = /^"(\d{1,15})(?:-[\w-]{27})?"$/.exec(etag) ?? []
  return revision === undefined ? undefined : Number(revision)
}

/** 162 bits, enough to tell any two bodies apart. */
const hashLength = 27

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, hashLength)
}

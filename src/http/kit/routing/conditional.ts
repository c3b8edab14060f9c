import type { IncomingMessage } from 'node:http'
import { accepts, etagOfState } from './contentCoding.ts'
import { revisionIn } from './etags.ts'

/** ETags as conditions: If-Match and If-None-Match (RFC 9110, 13.1). */

/** Parse a list of entity tags. Malformed parts match nothing. */
const entityTags = (header: string): { any: boolean; tags: string[] } => ({
  any: header.trim() === '*',
  tags: header.match(/(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g) ?? [],
})

/**
 * Return whether If-Match allows a change to a record at this revision. The rest of the ETag does not count: it is of
 * values that are not the record's own.
 */
export function ifMatch(header: string): (revision: number) => boolean {
  const { any, tags } = entityTags(header)
  return (revision) =>
    any || tags.some((tag) => revisionIn(etagOfState(tag).replace('.told"', '"')) === revision)
}

/**
 * Return the ETag of If-None-Match that says that the caller has this state already, in a coding that it still
 * accepts; undefined when there is none.
 */
export function alreadyHas(req: IncomingMessage, etag: string): string | undefined {
  const header = req.headers['if-none-match']
  if (header === undefined) return undefined
  const { any, tags } = entityTags(header)
  if (any) return etag
  return tags
    .map((tag) => tag.replace(/^W\//, ''))
    .find((tag) => etagOfState(tag) === etag && accepts(req, tag))
}

/** ETags as conditions: If-Match and If-None-Match (RFC 9110, 13.1). */

/** Parse a list of entity tags. Malformed parts match nothing. */
const entityTags = (header: string): { any: boolean; tags: string[] } => ({
  any: header.trim() === '*',
  tags: header.match(/(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g) ?? [],
})

/** Return whether If-Match allows a change to a record with this ETag. Weak tags never match. */
export function ifMatch(header: string): (etag: string) => boolean {
  const { any, tags } = entityTags(header)
  return (etag) => any || tags.includes(etag)
}

/** Return whether If-None-Match names this ETag, so that the caller has the answer already. */
export function alreadyHas(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  const { any, tags } = entityTags(header)
  return any || tags.some((tag) => tag.replace(/^W\//, '') === etag)
}

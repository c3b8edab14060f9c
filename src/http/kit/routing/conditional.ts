/** ETags as conditions: If-Match and If-None-Match (RFC 9110, 13.1). */

/** The entity tags of a list; what is no entity tag matches nothing. */
const entityTags = (header: string): { any: boolean; tags: string[] } => ({
  any: header.trim() === '*',
  tags: header.match(/(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g) ?? [],
})

/** Whether If-Match lets a change through to a record of this ETag: weak tags never do. */
export function ifMatch(header: string): (etag: string) => boolean {
  const { any, tags } = entityTags(header)
  return (etag) => any || tags.includes(etag)
}

/** Whether If-None-Match says that the caller has what this ETag names already. */
export function alreadyHas(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  const { any, tags } = entityTags(header)
  return any || tags.some((tag) => tag.replace(/^W\//, '') === etag)
}

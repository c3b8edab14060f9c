/** `category-companyId`, and after an underscore the id of the record. The streams of accounts belong to no company. */
const ofCompany = /^(?!account-)[^-]+-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:_|$)/i

/** Return the company that the stream of any release belongs to, in lower case; undefined when it belongs to none. */
export function companyOfStream(streamName: string): string | undefined {
  return ofCompany.exec(streamName)?.[1]?.toLowerCase()
}

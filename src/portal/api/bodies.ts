/** Bodies of answers, parsed. */

export async function parsedBody(response: Response): Promise<unknown> {
  const text = await response.text()
  return text === '' ? null : JSON.parse(text)
}

/** The last bodies that were read, by their addresses, with their ETags. */
const lastRead = new Map<string, { readonly etag: string; readonly body: unknown }>()
const mostRead = 50

/**
 * Return the parsed body of a read. If it has not changed since the last time, it is the same object again: parsing and
 * comparing long lists with every poll would make the page stutter.
 */
export async function readBody(response: Response): Promise<unknown> {
  const { url } = response
  const etag = response.headers.get('ETag')
  const last = lastRead.get(url)
  lastRead.delete(url)
  const isSame = last !== undefined && last.etag === etag
  if (isSame) await response.body?.cancel()
  const body = isSame ? last.body : await parsedBody(response)
  if (etag !== null) lastRead.set(url, { etag, body })
  const [oldest] = lastRead.keys()
  if (oldest !== undefined && lastRead.size > mostRead) lastRead.delete(oldest)
  return body
}

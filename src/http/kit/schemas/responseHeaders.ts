/** The headers of answers, as the OpenAPI document describes them. */

interface HeaderObject {
  readonly description: string
  readonly schema: Readonly<Record<string, unknown>>
}

const text = { type: 'string' }
const position = { type: 'integer' }

export const responseHeaders = {
  ETag: {
    description:
      "Another body has another ETag. That of a record holds the record's revision, which alone counts for If-Match. A compressed answer has an ETag of its own, which is good for If-Match and If-None-Match as well.",
    schema: text,
  },
  Location: {
    description: 'The path of the created record or of the started run.',
    schema: { type: 'string', format: 'uri-reference' },
  },
  Link: { description: 'The next page: `<…>; rel="next"`.', schema: text },
  'Accept-Ranges': {
    description: '`bytes`: a request may ask for a part of the file.',
    schema: { const: 'bytes' },
  },
  'Content-Range': {
    description: 'The part that is answered, and the size of the file: `bytes 0-1023/146515`.',
    schema: text,
  },
  'Content-Disposition': { description: '`attachment`, with the name of the file.', schema: text },
  'Repr-Digest': { description: 'The SHA-256 of the whole file (RFC 9530).', schema: text },
  'Total-Count': {
    description: 'With `count=true`: how many records all pages have.',
    schema: position,
  },
  Truncated: {
    description: '`true` when there are, or may be, more records than the answer holds.',
    schema: { const: 'true' },
  },
  'Commit-Position': {
    description:
      'The position of the recorded events. Send it as Min-Position to read your writes. `Projection-Status: pending` beside it says that the read models have not applied the events yet.',
    schema: position,
  },
  'Read-Position': {
    description: 'The position that the answered read models have reached.',
    schema: position,
  },
  'Retry-After': { description: 'The seconds to wait before the request is sent again.', schema: position },
  RateLimit: {
    description:
      'The requests that are left, and the seconds until the limit begins anew: `"requests";r=59;t=20`.',
    schema: text,
  },
  'RateLimit-Policy': {
    description: 'The limit and its window in seconds: `"requests";q=60000;w=60`.',
    schema: text,
  },
  'WWW-Authenticate': {
    description: 'The accepted credentials (RFC 6750), and why those of the request were refused.',
    schema: text,
  },
  Accept: { description: 'The media type that the operation accepts.', schema: text },
} as const satisfies Record<string, HeaderObject>

export type ResponseHeader = keyof typeof responseHeaders

/** Refer to headers of the document's components. */
export function headerReferences(names: readonly ResponseHeader[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

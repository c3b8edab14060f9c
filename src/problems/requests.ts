import { z } from 'zod'
import type { ProblemDeclaration } from './declaration.ts'
import { faultCodes, unreadableReasons } from './faults.ts'

/** The request itself is wrong, whatever the records are. */

/** A request is judged until it has this many faults, so that a small body causes neither long work nor a huge answer. */
export const maxListedFaults = 1_000

/** The most JSON values of a body, with arrays and objects among them. The largest valid body has about 40,000. */
export const maxValues = 50_000

/** A field with its recorded and its new value. */
export const change = z
  .object({ field: z.string(), from: z.unknown(), to: z.unknown() })
  .meta({ id: 'Change' })

/** One fault of a request, as problems and the lines of bulk requests list it. */
export const fault = z
  .object({
    path: z.string().meta({
      description: 'A JSON Pointer into the body, or the name of a parameter. A long one ends in "…".',
    }),
    pointer: z.string().optional().meta({
      format: 'uri-reference',
      description:
        'For a fault of the body: the path as a URI fragment, such as `#/lineItems/0/lengthMm`. If that path is long, it is that of the nearest part around the fault.',
    }),
    parameter: z
      .string()
      .optional()
      .meta({ description: 'For any other fault: the name of the path, query or header parameter.' }),
    code: z.enum(faultCodes).meta({ description: 'The kind of the fault, for programs.' }),
    message: z.string(),
    line: z.int().optional().meta({ description: 'For an expression: the line of the fault in it, from 1.' }),
    column: z.int().optional().meta({ description: 'The column of the fault in that line, from 1.' }),
    ...Object.fromEntries(
      ['tagId', 'millCertificationId', 'orderId', 'lineItemId', 'barId', 'cutId'].map((name) => [
        name,
        z.guid().optional(),
      ]),
    ),
  })
  .meta({
    id: 'Fault',
    description: 'An id names the record that the fault is about.',
    examples: [
      {
        path: '/lineItems/0/lengthMm',
        pointer: '#/lineItems/0/lengthMm',
        code: 'out-of-bounds',
        message: 'must be more than 0',
      },
    ],
  })

export const requestProblems = {
  'malformed-request': {
    status: 400,
    title: 'The data is not an HTTP request',
    meaning: 'The service could not read the request, so nothing was done and the connection is closed.',
    occurs: 'The data does not follow HTTP/1.1, or the request has no valid Host header, or several.',
    remedy: 'Use an HTTP client library, and check proxies between the client and the service.',
  },
  'malformed-json': {
    status: 400,
    title: 'The body is not JSON',
    meaning: 'The service could not read the body, so nothing was done.',
    occurs: 'The body is empty, is not JSON (RFC 8259) or is not in UTF-8.',
    remedy: 'Send one JSON value in UTF-8.',
  },
  'body-incomplete': {
    status: 400,
    title: 'The body is incomplete',
    meaning: 'The connection ended within the body, so nothing was done.',
    occurs: 'The client or a proxy has broken off the request.',
    remedy: 'Send the request again.',
  },
  'validation-failed': {
    status: 400,
    title: 'The request has faults',
    meaning: `Nothing was done. \`errors\` lists the faults of the request, up to ${maxListedFaults}.`,
    occurs:
      'A value in the path, the query, a header or the body is missing, has the wrong type or is out of bounds, or it names a record that does not exist.',
    remedy: 'Correct every fault that is listed, and send the request again.',
    members: z.object({
      errors: z.array(fault).max(maxListedFaults).meta({ description: 'The faults of the request.' }),
    }),
  },
  'login-failed': {
    status: 400,
    title: 'The login failed',
    meaning: 'Nobody is logged in by this request.',
    occurs:
      'The login was begun in another browser or more than ten minutes ago, was already used, or was refused by the identity provider; or the provider issued a token that this service does not accept.',
    remedy:
      'Log in again at /portal/login. If it fails again, an operator compares the detail with docs/identity-providers.md.',
  },
  'invalid-logout-token': {
    status: 400,
    title: 'The logout token is not valid',
    meaning: 'The service does not accept the token, so no session was ended.',
    occurs:
      'The body is no form with a `logout_token`, or the token is malformed, wrongly signed, too old or for another client.',
    remedy: 'Only the identity provider calls this address. Compare its settings with those of the service.',
  },
  'not-found': {
    status: 404,
    title: 'There is nothing at this path',
    meaning: 'No operation has this path, so nothing was done.',
    occurs: 'The path is mistyped, or belongs to another release. A slash at the end makes another path.',
    remedy: 'Compare the path with the API reference at /docs.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'The path does not support the method',
    meaning: 'The path exists, but not with this method, so nothing was done.',
    occurs: 'The request uses a method that the path does not support.',
    remedy: 'Use one of the methods in the header Allow.',
  },
  'request-timeout': {
    status: 408,
    title: 'The request did not arrive in time',
    meaning: 'The service has not seen the whole request, so nothing was done and the connection is closed.',
    occurs: 'The client was silent for too long within its request.',
    remedy: 'Send the request again. If it happens often, look for a slow network.',
  },
  'body-too-large': {
    status: 413,
    title: 'The body is too large',
    meaning: 'The service did not read the whole body, so nothing was done.',
    occurs: 'The body has more bytes than the operation accepts.',
    remedy: 'Send less in one request, for example in several bulk requests.',
  },
  'too-many-values': {
    status: 413,
    title: 'The body has too many values',
    meaning: 'The service did not check the body, so nothing was done.',
    occurs: `The JSON of the body has more than ${maxValues} values. Arrays and objects count, too.`,
    remedy: 'Send less in one request, for example in several bulk requests.',
  },
  'line-too-long': {
    status: 413,
    title: 'The line is too long',
    meaning: 'This line of a bulk request was not carried out. The other lines are answered on their own.',
    occurs: 'A line of a bulk request has more than 65,536 bytes.',
    remedy: 'Send this record alone, as a request of its own.',
  },
  'too-many-lines': {
    status: 413,
    title: 'The body has too many lines',
    meaning: 'This line of a bulk request and all lines after it were not carried out.',
    occurs: 'A bulk request has more than 10,000 lines that are not blank.',
    remedy: 'Send the rest in another request, beginning with this line.',
  },
  'too-large-to-record': {
    status: 413,
    title: 'The record is too large',
    meaning: 'The change does not fit into one append of the event store, so nothing was recorded.',
    occurs: 'The events of the request, with their metadata, exceed the largest append.',
    remedy: 'Divide the request into smaller ones.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'The media type of the body is not supported',
    meaning: 'The service did not read the body, so nothing was done.',
    occurs:
      'Content-Type or its charset is not the one that the operation accepts, or the body is compressed.',
    remedy: 'Send the body uncompressed, in UTF-8, with the Content-Type that the detail names.',
  },
  'document-infected': {
    status: 422,
    title: 'The file has a virus',
    meaning: 'The scanner of the operator found a virus in the file, so the file was not stored.',
    occurs: 'The operator has set CLAMD_URL, and the scanner knows a part of the file.',
    remedy: 'Do not open the file. Ask its sender for another one.',
  },
  'import-unreadable': {
    status: 422,
    title: 'The file cannot be imported',
    meaning:
      'The service could not read records of the requested kind from the file, so it kept nothing of it.',
    occurs:
      'The file has no known headings, is damaged, is of another version, unpacks to too much, has too many rows, or takes too long to read.',
    remedy: 'Do what the detail says, or fill the template: GET imports/template.',
    members: z.object({ reason: z.enum(unreadableReasons) }),
  },
  'range-not-satisfiable': {
    status: 416,
    title: 'The range is outside the file',
    meaning: 'The file is shorter than the requested range.',
    occurs: 'The header Range asks for bytes that the file does not have.',
    remedy: 'Request the file without Range.',
  },
  'idempotency-key-reused': {
    status: 422,
    title: 'The Idempotency-Key belongs to another request',
    meaning: 'Nothing was done, because a repeat must be the same request.',
    occurs: 'The caller has used the key within 24 hours for a request with another body.',
    remedy: 'Use a new key for a new request, and the same key only to repeat the same request.',
  },
  'headers-too-large': {
    status: 431,
    title: 'The headers are too large',
    meaning: 'The service did not read the request, so nothing was done and the connection is closed.',
    occurs: 'The headers of the request exceed 16 KiB.',
    remedy: 'Send fewer or shorter headers.',
  },
} as const satisfies Record<string, ProblemDeclaration>

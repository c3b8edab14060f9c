import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import type { Workflow } from '../../../commands/executor/command.ts'
import { incomingKey, type ObjectStore } from '../../../documents/objects.ts'
import { receive } from '../../../documents/receive.ts'
import type { UploadType } from '../../../domain/documents/document.ts'
import { hidesNothing } from '../../../lib/hiddenCharacters.ts'
import type { Measures } from '../../../lib/measured.ts'
import { mediaTypeOf } from '../body/body.ts'
import { Problem } from '../problem.ts'
import { noHidden, plainText } from '../schemas/fields.ts'
import type { Services } from '../services.ts'
import { type CommandDeclaration, commandRoute } from './commandRoute.ts'
import { requestHashOf } from './idempotency.ts'
import type { Exchange, Input, Route } from './route.ts'

/** Upload routes: the body is a file, which streams into the store of objects while it is checked. */

/** A file that has arrived, and waits under a temporary key. */
export interface Upload extends Measures {
  readonly mediaType: UploadType
  readonly uploadId: string
}

/** The object of the upload. */
interface UploadObject {
  keep(key: string): Promise<void>
  drop(key: string): Promise<void>
}

interface UploadInput<Path extends string, Query>
  extends Pick<Input<Path, Query, undefined>, 'params' | 'query'> {
  readonly file: Upload
}

interface UploadDeclaration<Path extends string, Query extends z.ZodObject, Answer>
  extends Omit<
    CommandDeclaration<Path, Query, z.ZodUndefined, Answer>,
    'method' | 'body' | 'isBodyOptional' | 'bodyFaults' | 'command' | 'conditional' | 'dryRun'
  > {
  readonly query: Query
  readonly mediaTypes: readonly UploadType[]
  readonly maxBytes: number
  /** Refuse a file that has arrived. Nothing of it is left then. */
  readonly refuse: (input: UploadInput<Path, z.output<Query>>, services: Services) => Promise<void>
  /** Return the workflow that records the file. */
  readonly store: (input: UploadInput<Path, z.output<Query>>, object: UploadObject) => Workflow<Answer>
}

/** The body that an upload passes to its command. */
interface ArrivedFile {
  readonly file: Upload
  readonly object: UploadObject
}

/** Declare a route that stores a file and records it. */
export function uploadRoute<const Path extends string, Query extends z.ZodObject, Answer>(
  declaration: UploadDeclaration<Path, Query, Answer>,
): Route {
  const { refuse, store, mediaTypes, maxBytes, ...rest } = declaration
  const recording = commandRoute({
    ...rest,
    method: 'post',
    command: ({ params, query, body }) => {
      const { file, object } = body as unknown as ArrivedFile
      return store({ params, query, file }, object)
    },
    problems: [...(declaration.problems ?? []), ...uploadCodes],
  })
  return {
    ...recording,
    headers: recording.headers.extend({ 'repr-digest': reprDigest }),
    file: { mediaTypes, maxBytes },
    answer: (exchange, services) =>
      services.documents.arriving.run(exchange.params.companyId!, () => storeArriving(exchange, services)),
  }

  async function storeArriving(exchange: Exchange, services: Services): Promise<void> {
    const { req, headers } = exchange
    const { objects: openObjects, scan } = services.documents
    const objects = await openObjects()
    const uploadId = services.newId()
    const mediaType = mediaTypeOf(req) as UploadType
    const declared = { mediaType, sha256: headers['repr-digest'] as string | undefined }
    const received = await receive(objects, uploadId, bodyOf(req), declared, scan)
    try {
      await exchange.requireAccess()
      const file = { ...received, mediaType, uploadId }
      const { params, query } = exchange as unknown as Pick<
        UploadInput<Path, z.output<Query>>,
        'params' | 'query'
      >
      await refuse({ params, query, file }, services)
      const arrived: ArrivedFile = { file, object: objectOf(objects, uploadId) }
      const bytes = Buffer.from(JSON.stringify(received.sha256))
      await recording.answer(
        { ...exchange, body: arrived, requestHash: () => requestHashOf(req, bytes) },
        services,
      )
    } catch (error) {
      // The first error is the one to report. If this deletion fails, a sweep removes the object.
      await objects.delete(incomingKey(uploadId)).catch(() => {})
      throw error
    }
  }
}

const uploadCodes = [
  ...(['body-too-large', 'unsupported-media-type', 'document-infected'] as const),
  ...(['documents-unavailable', 'documents-full'] as const),
] as const

function objectOf(objects: ObjectStore, uploadId: string): UploadObject {
  return { keep: (key) => objects.move(incomingKey(uploadId), key), drop: (key) => objects.delete(key) }
}

/** Read the body. The server discards the rest of a refused one. */
export async function* bodyOf(req: IncomingMessage): AsyncIterable<Buffer> {
  try {
    yield* req.iterator({ destroyOnReturn: false })
  } catch (error) {
    throw new Problem(
      'body-incomplete',
      'The body ended before it was complete, so nothing was done. Send the request again.',
      { cause: error },
    )
  }
}

/** The name of a file, without a path, because a program may save the download under this name. */
export const fileName = plainText(255)
  .refine(hidesNothing, noHidden)
  .refine((name) => !/[/\\]/.test(name), 'must not contain / or \\')
  .refine((name) => !/^\.+$/.test(name.trim()) && name.trim() !== '', 'must be the name of a file')
  .optional()
  .meta({ description: 'The name of the file, without a path.' })

/** The SHA-256 of RFC 9530, as hexadecimal. Other algorithms in the header are ignored. */
const reprDigest = z
  .string()
  .transform((header, context) => {
    const digests = header.split(',').map((part) => part.trim())
    const ours = digests.find((part) => /^sha-256=/i.test(part))
    if (!ours) return undefined
    const base64 = /^sha-256=:([A-Za-z0-9+/]{43}=):$/i.exec(ours)?.[1]
    if (base64 === undefined) {
      context.addIssue({ code: 'custom', message: 'must have the form sha-256=:base64:' })
      return z.NEVER
    }
    return Buffer.from(base64, 'base64').toString('hex')
  })
  .optional()
  .describe('The digest of the file (RFC 9530, `sha-256`). A file that arrives with another one is refused.')

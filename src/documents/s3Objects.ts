import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { Failure } from '../lib/failure.ts'
import type { ObjectStore } from './objects.ts'

/** Objects in a bucket of S3, or of a server that speaks its protocol. */

export interface Bucket {
  readonly bucket: string
  /** Ends in a slash unless it is empty. */
  readonly prefix: string
  /** The address of a server other than AWS; undefined for AWS. */
  readonly endpoint: string | undefined
  /** undefined for the region of the AWS configuration of this machine. */
  readonly region: string | undefined
}

/** An upload holds this many bytes in memory: the least that S3 takes as one part. */
const partBytes = 5 * 1_048_576

/**
 * S3 copies at most 5 GiB in one request, and may take longer for much less than a request may be silent. A large
 * object, such as the pack of a large order, is copied in parts of this size.
 */
const copyBytes = 268_435_456

const connectMs = 3_000
const silentMs = 10_000
const attempts = 3

/** The bucket as it was opened. */
interface Opened {
  readonly client: S3Client
  readonly at: (key: string) => Location
  /** The source of a copy request: the bucket and the key of an object. */
  readonly sourceOf: (key: string) => string
  readonly copiedAtOnce: number
}

interface Location {
  readonly Bucket: string
  readonly Key: string
}

/**
 * Credentials come from where all AWS tools find them, such as AWS_ACCESS_KEY_ID.
 * @param copiedAtOnce a larger object is copied in parts of this many bytes, at least 5 MiB
 */
export function openS3Objects(bucket: Bucket, copiedAtOnce = copyBytes): ObjectStore {
  const client = connect(bucket)
  const { bucket: Bucket, prefix } = bucket
  const opened: Opened = {
    client,
    at: (key) => ({ Bucket, Key: `${prefix}${key}` }),
    sourceOf: (key) => `${Bucket}/${prefix}${key}`.split('/').map(encodeURIComponent).join('/'),
    copiedAtOnce,
  }
  const { at } = opened
  return {
    put: (key, content) => put(opened, key, content),
    putNew: (key, content) => putNew(opened, key, content),
    move: (from, to) => move(opened, from, to),
    async get(key, range) {
      const Range = range && `bytes=${range.first}-${range.last}`
      const object = await orMissing(
        client.send(new GetObjectCommand({ ...at(key), ...(Range && { Range }) })),
      )
      if (!object) return undefined
      const whole = object.ContentRange?.split('/')[1] ?? object.ContentLength
      return { bytes: Number(whole), content: object.Body as Readable }
    },
    async head(key) {
      const object = await orMissing(client.send(new HeadObjectCommand(at(key))))
      return object && { bytes: object.ContentLength!, storedAt: object.LastModified! }
    },
    async *list(start) {
      const pages = paginateListObjectsV2({ client }, { Bucket, Prefix: `${prefix}${start}` })
      try {
        for await (const { Contents = [] } of pages)
          for (const { Key, Size, LastModified } of Contents)
            yield { key: Key!.slice(prefix.length), bytes: Size!, storedAt: LastModified! }
      } catch (error) {
        throw faultOf(error)
      }
    },
    delete: async (key) => {
      await answerOf(client.send(new DeleteObjectCommand(at(key))))
    },
    close: () => client.destroy(),
  }
}

function connect({ endpoint, region }: Bucket): S3Client {
  return new S3Client({
    ...(region !== undefined && { region }),
    // Servers other than AWS rarely have a host name for each bucket.
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    // By default the SDK wraps streams with checksums that not every server understands.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: attempts,
    requestHandler: { connectionTimeout: connectMs, requestTimeout: silentMs, throwOnRequestTimeout: true },
  })
}

async function put({ client, at }: Opened, key: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  let sourceFault: { readonly error: unknown } | undefined
  const watch = async function* () {
    try {
      yield* content
    } catch (error) {
      sourceFault = { error }
      throw error
    }
  }
  // After a fault, the client deletes the parts that it has sent.
  const upload = new Upload({
    client,
    params: { ...at(key), Body: Readable.from(watch()) },
    partSize: partBytes,
    queueSize: 1,
    leavePartsOnError: false,
  })
  await upload.done().catch((error) => {
    throw sourceFault ? sourceFault.error : faultOf(error)
  })
}

async function putNew({ client, at }: Opened, key: string, Body: Uint8Array): Promise<boolean> {
  const send = (condition: object) => client.send(new PutObjectCommand({ ...at(key), Body, ...condition }))
  try {
    await send({ IfNoneMatch: '*' })
  } catch (error) {
    const status = statusOf(error)
    if (status === 412) return false
    if (status !== 501) throw faultOf(error)
    // This server ignores conditions, so the caller has to read which object is there now.
    await answerOf(send({}))
  }
  return true
}

async function move(opened: Opened, from: string, to: string): Promise<void> {
  const { client, at, sourceOf, copiedAtOnce } = opened
  const CopySource = sourceOf(from)
  const { ContentLength: bytes = 0 } = await answerOf(client.send(new HeadObjectCommand(at(from))))
  await (bytes <= copiedAtOnce
    ? answerOf(client.send(new CopyObjectCommand({ ...at(to), CopySource })))
    : copyInParts(opened, at(to), CopySource, bytes))
  await answerOf(client.send(new DeleteObjectCommand(at(from))))
}

async function copyInParts(
  { client, copiedAtOnce }: Opened,
  to: Location,
  CopySource: string,
  bytes: number,
): Promise<void> {
  const { UploadId } = await answerOf(client.send(new CreateMultipartUploadCommand(to)))
  const upload = { ...to, UploadId }
  try {
    const Parts: CompletedPart[] = []
    for (let first = 0; first < bytes; first += copiedAtOnce) {
      const last = Math.min(first + copiedAtOnce, bytes) - 1
      const part = { PartNumber: Parts.length + 1, CopySource, CopySourceRange: `bytes=${first}-${last}` }
      const { CopyPartResult } = await client.send(new UploadPartCopyCommand({ ...upload, ...part }))
      Parts.push({ PartNumber: part.PartNumber, ETag: CopyPartResult?.ETag })
    }
    await client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }))
  } catch (error) {
    // The first error is the one to report. The bucket's lifecycle rule removes parts that stay behind.
    await client.send(new AbortMultipartUploadCommand(upload)).catch(() => {})
    throw faultOf(error)
  }
}

async function answerOf<Answer>(request: Promise<Answer>): Promise<Answer> {
  try {
    return await request
  } catch (error) {
    throw faultOf(error)
  }
}

/** Return undefined when there is no such object. A missing bucket is an error. */
async function orMissing<Answer>(request: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await request
  } catch (error) {
    const { name } = error as Error
    if (name === 'NoSuchKey' || name === 'NotFound') return undefined
    throw faultOf(error)
  }
}

/** Return the settings that the SDK misses. It names them in words of its own. */
function missingIn({ name, message }: Error): string | undefined {
  // The second when the variable is there and empty, as in the file of settings.
  if (message === 'Region is missing' || message.startsWith('Region not accepted: region=""'))
    return 'AWS_REGION'
  return name === 'CredentialsProviderError' ? 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY' : undefined
}

function faultOf(error: unknown): Error {
  const missing = missingIn(error as Error)
  if (missing !== undefined)
    return new Failure('objects-not-set', `the operator has to set ${missing}`, { cause: error })
  const { name, message } = error as Error
  const isFull = statusOf(error) === 507 || name === 'QuotaExceeded'
  return new Failure(
    isFull ? 'objects-full' : 'objects-unavailable',
    `the bucket of documents: ${name}: ${message}`,
    { cause: error },
  )
}

function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined
}

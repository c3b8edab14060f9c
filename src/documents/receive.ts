import { fileTypeFromBuffer } from 'file-type'
import { type UploadType, uploadTypes } from '../domain/documents/document.ts'
import { invalid, Refusal } from '../domain/kernel/refusal.ts'
import { type Measures, measure } from '../lib/measured.ts'
import { incomingKey, type ObjectStore } from './objects.ts'
import type { Scan } from './scanner.ts'

/** A file arrives: it is hashed, counted and recognised on its way to a temporary object. */

/** The largest file, in bytes. */
export const maxFileBytes = 25 * 1_048_576

/** Enough to recognise every kind of file that is taken. */
const headBytes = 4_100

/** The facts about the file that the caller states. */
interface DeclaredFile {
  readonly mediaType: string
  /** In lower-case hexadecimal; undefined when the caller gives none. */
  readonly sha256?: string | undefined
}

/** Return the media type that the beginning of a file shows; undefined for any kind that is not accepted. */
export type Recognise = (head: Buffer) => Promise<string | undefined>

/**
 * Store a file as the temporary object of this upload. After an error nothing is left of it.
 * @param scan undefined: the file is not scanned for viruses
 * @param recognise recognises the kinds that are accepted: those of documents, unless others are named
 * @throws Refusal 400, 413, 415, 422; Failure `objects-unavailable`, `objects-full`; the error of `content`
 */
export async function receive(
  objects: ObjectStore,
  uploadId: string,
  content: AsyncIterable<Uint8Array>,
  declared: DeclaredFile,
  scan: Scan | undefined,
  recognise: Recognise = kindOf,
): Promise<Measures> {
  const key = incomingKey(uploadId)
  const arriving = measure(bound(content))
  await objects.put(key, requireKind(arriving.content, declared.mediaType, recognise))
  try {
    const measures = arriving.measures()
    if (declared.sha256 !== undefined && declared.sha256 !== measures.sha256) throw otherDigest()
    if (scan) await refuseInfected(objects, key, scan)
    return measures
  } catch (error) {
    // The first error is the one to report. If this deletion fails, a sweep removes the object.
    await objects.delete(key).catch(() => {})
    throw error
  }
}

/** @throws Refusal 413 */
async function* bound(content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let bytes = 0
  for await (const chunk of content) {
    bytes += chunk.length
    if (bytes > maxFileBytes)
      throw new Refusal(
        'body-too-large',
        `The file is larger than ${maxFileBytes} bytes, so it was not stored. Send a smaller file.`,
      )
    yield chunk
  }
}

/** Pass the content on once its beginning shows that it is of the declared kind. @throws Refusal 400, 415 */
async function* requireKind(
  content: AsyncIterable<Uint8Array>,
  mediaType: string,
  recognise: Recognise,
): AsyncIterable<Uint8Array> {
  const held: Uint8Array[] = []
  let heldBytes = 0
  let isKnown = false
  for await (const chunk of content) {
    if (isKnown) {
      yield chunk
      continue
    }
    held.push(chunk)
    heldBytes += chunk.length
    if (heldBytes < headBytes) continue
    await refuseOtherKind(held, mediaType, recognise)
    isKnown = true
    yield* held.splice(0)
  }
  if (isKnown) return
  if (heldBytes === 0)
    throw invalid([{ path: '', code: 'required', message: 'The body is empty. Send the file as the body.' }])
  await refuseOtherKind(held, mediaType, recognise)
  yield* held
}

async function refuseOtherKind(
  head: readonly Uint8Array[],
  declared: string,
  recognise: Recognise,
): Promise<void> {
  const kind = await recognise(Buffer.concat(head).subarray(0, headBytes))
  if (kind === declared) return
  const kindFound = kind === undefined ? 'none of the accepted kinds' : kind
  throw new Refusal(
    'unsupported-media-type',
    `Content-Type says ${declared}, but the content is ${kindFound}, so nothing was stored. Send a file of an accepted kind with its own Content-Type.`,
  )
}

/** Return the kind that the beginning of a file shows; undefined for any kind that is not accepted. */
async function kindOf(head: Buffer): Promise<UploadType | undefined> {
  const mediaType = (await fileTypeFromBuffer(head))?.mime ?? kindOfText(head)
  return uploadTypes.find((type) => type === mediaType)
}

/** XML and JSON have no magic number: the first character tells them apart. Both must be in UTF-8. */
function kindOfText(head: Buffer): UploadType | undefined {
  const start = /^\uFEFF?\s*([<{[])[^\0]*$/s.exec(head.toString('utf8'))?.[1]
  if (start === '<') return 'application/xml'
  return start === undefined ? undefined : 'application/json'
}

function otherDigest(): Refusal {
  const [name, message] = ['Repr-Digest', 'is not the digest of the content that has arrived']
  return invalid(
    [{ path: name, parameter: name, code: 'not-the-content', message }],
    'The file does not have the digest in Repr-Digest, so it was not stored. Send it again.',
  )
}

/** @throws Refusal 422 `document-infected`; Failure `objects-unavailable` */
async function refuseInfected(objects: ObjectStore, key: string, scan: Scan): Promise<void> {
  const opened = await objects.get(key)
  const virus = opened && (await scan(opened.content).finally(() => opened.content.destroy()))
  if (virus !== undefined)
    throw new Refusal(
      'document-infected',
      `The scanner found ${virus} in the file, so it was not stored. Send a clean file, and have the computer that it came from checked.`,
    )
}

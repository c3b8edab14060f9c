import type { Readable } from 'node:stream'

/** The store of objects: the bytes of documents. Events and read models hold everything else about a document. */
export interface ObjectStore {
  /**
   * Store an object, whole or not at all. It is durable when this returns.
   * @throws Failure `objects-unavailable`, `objects-full`; the error of `content`
   */
  put(key: string, content: AsyncIterable<Uint8Array>): Promise<void>
  /**
   * Store a small object unless there is one with this key, and say whether it was stored. Of several callers at the
   * same moment one stores it. It is durable when this returns.
   * @throws Failure `objects-unavailable`, `objects-full`
   */
  putNew(key: string, content: Uint8Array): Promise<boolean>
  /**
   * Give an object another key. It is durable there when this returns. @throws Failure `objects-unavailable`,
   * `objects-full`
   */
  move(from: string, to: string): Promise<void>
  /** Open an object, or a part of it; undefined when there is none. @throws Failure `objects-unavailable` */
  get(key: string, range?: ByteRange): Promise<OpenedObject | undefined>
  /** @throws Failure `objects-unavailable` */
  head(key: string): Promise<ObjectFacts | undefined>
  /** List the objects whose key starts with `prefix`, in no particular order. @throws Failure `objects-unavailable` */
  list(prefix: string): AsyncIterable<ListedObject>
  /** Delete an object. It may be gone already. @throws Failure `objects-unavailable` */
  delete(key: string): Promise<void>
  close(): void
}

/** Bytes from `first` to `last`, both included, counted from 0. They lie within the object. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

interface ObjectFacts {
  /** The size of the whole object. */
  readonly bytes: number
  /** When its bytes were stored. */
  readonly storedAt: Date
}

interface OpenedObject {
  /** The size of the whole object. */
  readonly bytes: number
  /** Destroy it unless it is read to its end. */
  readonly content: Readable
}

export interface ListedObject extends ObjectFacts {
  readonly key: string
}

/**
 * The ending of a file that is being written into a folder. A killed process leaves such a file, and `list` shows it.
 */
export const draftEnding = '.part'

/** An upload whose hash is not known yet. An interrupted one leaves an object with such a key. */
export function incomingKey(uploadId: string): string {
  return `${incomingPrefix}${uploadId}`
}
export const incomingPrefix = 'incoming/'

/** A PDF or scan that was uploaded for an import, and waits for its confirmation. No event ever names it. */
export function importKey(importId: string): string {
  return `${importPrefix}${importId}`
}
/** The rows that were read from the file of an import. */
export function importRowsKey(importId: string): string {
  return `${importPrefix}${importId}-rows`
}
/** The pages of the file that are one certificate. They follow each other, and a folder takes no longer name. */
export function importPagesKey(importId: string, pages: readonly number[]): string {
  return `${importPrefix}${importId}-pages-${pages[0]}-${pages.at(-1)}`
}
/** Imports remove their own objects after some days. A sweep removes one that an interrupted upload has left. */
export const importPrefix = 'imports/'

/** An export of everything that a company has. No event names it. */
export function exportKey({ companyId, exportId }: { companyId: string; exportId: string }): string {
  return `${exportPrefix}${companyId}/${exportId}`
}
/** A newer export of the company removes the older ones. A sweep removes those that are past their time. */
export const exportPrefix = 'exports/'

/** The place of a document's bytes. The id of the upload makes it unique: no two uploads share an object. */
export interface StoredPlace {
  readonly companyId: string
  readonly sha256: string
  readonly uploadId: string
}

export function objectKey({ companyId, sha256, uploadId }: StoredPlace): string {
  return `${companyId}/${sha256}/${uploadId}`
}

const id = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const keyOfObject = new RegExp(`^(${id})/([0-9a-f]{64})/(${id})$`)

/** Return the place that a key names; undefined for the key of any other object. */
export function placeIn(key: string): StoredPlace | undefined {
  const [, companyId, sha256, uploadId] = keyOfObject.exec(key) ?? []
  return companyId && sha256 && uploadId ? { companyId, sha256, uploadId } : undefined
}

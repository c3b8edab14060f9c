import type { Slots } from '../admission/slots.ts'
import { openLocalObjects } from './localObjects.ts'
import type { ObjectStore } from './objects.ts'
import type { Bucket } from './s3Objects.ts'
import type { Scan } from './scanner.ts'

/** The files of documents, as the service uses them. */
export interface Documents {
  /** Return the objects, once they are known to belong to this event store. @throws Failure `objects-unavailable` */
  objects(): Promise<ObjectStore>
  /** undefined: files are not scanned for viruses. */
  readonly scan: Scan | undefined
  /** The most bytes of all documents of a company. */
  readonly bytesOfCompany: number
  /** Room for the files that arrive at the same moment. */
  readonly arriving: Pick<Slots, 'run'>
}

/** Where the bytes of documents are: in a folder of the embedded stack, or in a bucket. */
export type DocumentsPlace = { readonly folder: string } | Bucket

/** The SDK of AWS takes 0.1 s of a start, so it is loaded for a bucket alone. */
export async function openObjects(place: DocumentsPlace): Promise<ObjectStore> {
  if ('folder' in place) return openLocalObjects(place.folder)
  const { openS3Objects } = await import('./s3Objects.ts')
  return openS3Objects(place)
}

const documentsUrl = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[\w-][\w.-]*)*)\/?$/

/** Return the bucket and the prefix in `s3://bucket/prefix`; undefined for any other text. */
export function bucketIn(url: string): Pick<Bucket, 'bucket' | 'prefix'> | undefined {
  const [, bucket, path = ''] = documentsUrl.exec(url) ?? []
  return bucket === undefined ? undefined : { bucket, prefix: path === '' ? '' : `${path.slice(1)}/` }
}

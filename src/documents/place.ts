import { openLocalObjects } from './localObjects.ts'
import type { ObjectStore } from './objects.ts'
import { type Bucket, openS3Objects } from './s3Objects.ts'

/** Where the bytes of documents are: in a folder of the embedded stack, or in a bucket. */
export type DocumentsPlace = { readonly folder: string } | Bucket

export function openObjects(place: DocumentsPlace): ObjectStore {
  return 'folder' in place ? openLocalObjects(place.folder) : openS3Objects(place)
}

const documentsUrl = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[\w-][\w.-]*)*)\/?$/

/** Return the bucket and the prefix in `s3://bucket/prefix`; undefined for any other text. */
export function bucketIn(url: string): Pick<Bucket, 'bucket' | 'prefix'> | undefined {
  const [, bucket, path = ''] = documentsUrl.exec(url) ?? []
  return bucket === undefined ? undefined : { bucket, prefix: path === '' ? '' : `${path.slice(1)}/` }
}

import { lazy, Suspense } from 'react'
import type { ImportRow } from '../../api/generated.ts'

const Clip = lazy(async () => ({ default: (await import('../../kit/Clip.tsx')).Clip }))

interface ReadClipProps {
  readonly file: Blob
  readonly at: ImportRow['values'][number]['at']
  readonly label: string
}

/** The part of the page that a value was read from; nothing for a table or a digital certificate. */
export function ReadClip({ file, at, label }: ReadClipProps) {
  if (!('page' in at)) return null
  return (
    <Suspense fallback={null}>
      <Clip {...{ file, label, ...at }} />
    </Suspense>
  )
}

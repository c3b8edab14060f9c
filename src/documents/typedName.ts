import type { DocumentType } from '../domain/document.ts'

const endings = {
  'application/pdf': ['.pdf'],
  'image/png': ['.png'],
  'image/jpeg': ['.jpg', '.jpeg'],
  'image/tiff': ['.tif', '.tiff'],
  'application/xml': ['.xml'],
  'application/json': ['.json'],
  'application/zip': ['.zip'],
} satisfies Record<DocumentType, readonly [string, ...string[]]>

/** By media type. A file that an event of another program names may be of any other. */
const endingsOf: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(endings))

/**
 * Return the name with an ending of its kind of file. A system opens a saved file by its ending, and a file may be a PDF
 * and a program at the same time: `certificate.hta` must not leave the service under this name.
 */
export function typedName(name: string, mediaType: string): string {
  const known = endingsOf.get(mediaType) ?? ['']
  return known.some((ending) => name.toLowerCase().endsWith(ending)) ? name : `${name}${known[0]}`
}

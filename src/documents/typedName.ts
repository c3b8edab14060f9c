import type { DocumentType } from '../domain/documents/document.ts'

const endings = {
  'application/pdf': ['.pdf'],
  'image/png': ['.png'],
  'image/jpeg': ['.jpg', '.jpeg'],
  'image/tiff': ['.tif', '.tiff'],
  'application/xml': ['.xml'],
  'application/json': ['.json'],
  'application/zip': ['.zip'],
} satisfies Record<DocumentType, readonly [string, ...string[]]>

/** Endings by media type. Events of other programs may name files of media types that are missing here. */
const endingsOf: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(endings))

/**
 * Return the name with an ending of its media type. An operating system opens a saved file by its ending, and a file can
 * be a valid PDF and a program at the same time. So a PDF must not leave the service as `certificate.hta`.
 */
export function typedName(name: string, mediaType: string): string {
  const endings = endingsOf.get(mediaType) ?? ['']
  return endings.some((ending) => name.toLowerCase().endsWith(ending)) ? name : `${name}${endings[0]}`
}

import type { DocumentType } from '../domain/document.ts'

const endings: Readonly<Record<DocumentType, readonly [string, ...string[]]>> = {
  'application/pdf': ['.pdf'],
  'image/png': ['.png'],
  'image/jpeg': ['.jpg', '.jpeg'],
  'image/tiff': ['.tif', '.tiff'],
  'application/xml': ['.xml'],
  'application/json': ['.json'],
  'application/zip': ['.zip'],
}

/**
 * Return the name with an ending of its kind of file. A system opens a saved file by its ending, and a file may be a PDF
 * and a program at the same time: `certificate.hta` must not leave the service under this name.
 */
export function typedName(name: string, mediaType: DocumentType): string {
  const known = endings[mediaType]
  return known.some((ending) => name.toLowerCase().endsWith(ending)) ? name : `${name}${known[0]}`
}

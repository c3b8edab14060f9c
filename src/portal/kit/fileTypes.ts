/** The kinds of files that people choose, by the endings of their names. */

const typesByEnding: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  nc1: 'text/plain',
  nc: 'text/plain',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  json: 'application/json',
  xml: 'application/xml',
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  tif: 'image/tiff',
  tiff: 'image/tiff',
}

/** Return the endings of these media types, such as .pdf. */
export function endingsOf(mediaTypes: readonly string[]): string[] {
  return Object.entries(typesByEnding).flatMap(([ending, type]) =>
    mediaTypes.includes(type) ? [`.${ending}`] : [],
  )
}

/** Return the file with the media type of its ending. Browsers name a type by the programs that are installed. */
export function withType(file: File): File {
  const ending = file.name.split('.').at(-1)?.toLowerCase() ?? ''
  return new File([file], file.name, { type: typesByEnding[ending] ?? file.type })
}

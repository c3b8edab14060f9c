import { linesType } from '../body/lines.ts'
import type { Json } from './jsonSchemas.ts'

/** The schemas of contents that are not one JSON value each. */

/** Return the schema of content that no schema of ours describes: text, or the bytes of a file. */
export function rawContent(mediaType: string): Json {
  const isText = mediaType.startsWith('text/') || mediaType === linesType
  return isText ? { type: 'string' } : { type: 'string', format: 'binary' }
}

/** Return the schema of content by the schema of its values. Lines are a text, in which each line is such a value. */
export function schemaIn(mediaType: string, values: Json): Json {
  if (mediaType !== linesType) return values
  return {
    type: 'string',
    contentMediaType: linesType,
    contentSchema: values,
    description: 'Each line is one JSON value of the contentSchema.',
  }
}

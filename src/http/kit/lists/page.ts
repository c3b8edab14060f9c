import { z } from 'zod'
import { notWithin, wholeBetween } from '../schemas/fields.ts'

/** Which part of a list is asked for: `limit` and `cursor`. */

const maxLimit = 1_000

const limit = z
  .string()
  .regex(/^\d{1,9}$/, notWithin(1, maxLimit))
  .transform(Number)
  .pipe(wholeBetween(1, maxLimit))
  .optional()
  .meta({
    as: { type: 'integer', minimum: 1, maximum: maxLimit },
    description:
      'Answer so many at most (fewer where they are very large), and where the next begin in Link.',
  })

export type SortKey = readonly (string | number)[]

/** A place in a list: the sort key of the row before it. Opaque to callers. */
function cursorOf(sortKey: SortKey): string {
  return Buffer.from(JSON.stringify(sortKey)).toString('base64url')
}

export const notACursor = { path: 'cursor', message: 'is not a cursor of this list' }

function decode(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return undefined
  }
}

/** The query parameters of a list whose rows are in the order of such keys. */
export function pageParameters(sortKey: z.ZodType<SortKey>) {
  return {
    limit,
    cursor: z
      .string()
      .max(8_192, notACursor.message)
      .transform((cursor, context) => {
        const parsed = sortKey.safeParse(decode(cursor))
        if (parsed.success) return parsed.data
        context.addIssue({ code: 'custom', message: notACursor.message })
        return z.NEVER
      })
      .optional()
      .meta({ as: { type: 'string' }, description: 'Begin here: as the Link of the page before says it.' }),
  }
}

/** What `pageParameters` make of a query. */
export interface PageParameters {
  readonly limit?: number
  readonly cursor?: SortKey
}

/** The address of the next page, as Link says it: the one asked for, with another cursor. */
export function nextLink(originalUrl: string, sortKey: SortKey): string {
  const [path, query] = originalUrl.split('?')
  const parameters = new URLSearchParams(query)
  parameters.set('cursor', cursorOf(sortKey))
  return `<${path}?${parameters}>; rel="next"`
}

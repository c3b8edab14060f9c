import { z } from 'zod'
import { notWithin, wholeBetween } from '../schemas/fields.ts'

/** Paging: the parameters `limit` and `cursor`. */

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
      'The most records to answer; very large records may make it fewer. Link names the next page.',
  })

export type SortKey = readonly (string | number)[]

/** Encode the sort key of the last row as a cursor. Cursors are opaque to callers. */
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

/** Return the query parameters of a list that is ordered by these keys. */
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
      .meta({
        as: { type: 'string' },
        description: 'Where the page begins: the cursor from the Link of the page before.',
      }),
  }
}

/** The parsed query of `pageParameters`. */
export interface PageParameters {
  readonly limit?: number
  readonly cursor?: SortKey
}

/** Return the Link value of the next page: the requested address with the next cursor. */
export function nextLink(originalUrl: string, sortKey: SortKey): string {
  const [path, query] = originalUrl.split('?')
  const parameters = new URLSearchParams(query)
  parameters.set('cursor', cursorOf(sortKey))
  return `<${path}?${parameters}>; rel="next"`
}

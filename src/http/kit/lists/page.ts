import { z } from 'zod'
import type { SortKey } from '../../../projections/engine/reading/listQuery.ts'
import { parameterPlace } from '../body/validate.ts'
import { notWithin, wholeBetween } from '../schemas/fields.ts'

/** Paging: the parameters `limit` and `cursor`. */

const maxLimit = 1_000

/** Return the parameter `limit`. @param usual what counts without it, if that is a number */
export function limitParameter(description: string, usual?: number) {
  const bounds = { type: 'integer', minimum: 1, maximum: maxLimit } as const
  return z
    .string()
    .regex(/^\d{1,9}$/, notWithin(1, maxLimit))
    .transform(Number)
    .pipe(wholeBetween(1, maxLimit))
    .optional()
    .meta({ as: usual === undefined ? bounds : { ...bounds, default: usual }, description })
}

const limit = limitParameter(
  'The most records to answer. A page has fewer when its records are very large. Follow Link until there is none.',
)

/** The beginning of a page: it follows this row of the list with these filters. */
interface Cursor {
  readonly after: SortKey
  /** `fingerprintOf` the filters; undefined for none. */
  readonly filters: string | undefined
}

export const notACursor = {
  ...parameterPlace('cursor'),
  code: 'wrong-format',
  message: 'is not a cursor of this list',
} as const
export const ofOtherFilters = { ...notACursor, message: 'belongs to a list with other filters' } as const

/** Return the query parameters of a list that is ordered by these keys. */
export function pageParameters(sortKey: z.ZodType<SortKey>) {
  return {
    limit,
    cursor: z
      .string()
      .refine((cursor) => cursor.length <= 8_192, notACursor.message)
      .transform((cursor, context) => {
        const { after, filters } = decode(cursor)
        const parsed = sortKey.safeParse(after)
        if (parsed.success) return { after: parsed.data, filters }
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
  readonly cursor?: Cursor
}

/**
 * Return the Link value of the next page: the requested address with the next cursor. With a position that the list is
 * as of, all pages show the same moment, also if it was asked for by a time.
 */
export function nextLink(originalUrl: string, cursor: Cursor, asOf?: number): string {
  const [path, query] = originalUrl.split('?')
  const parameters = new URLSearchParams(query)
  parameters.set('cursor', encode(cursor))
  if (asOf !== undefined) parameters.set('asOf', String(asOf))
  return `<${path}?${parameters}>; rel="next"`
}

/** Encode a cursor. Cursors are opaque to callers. */
function encode({ after, filters }: Cursor): string {
  const cursor = filters === undefined ? after : { after, filters }
  return Buffer.from(JSON.stringify(cursor)).toString('base64url')
}

function decode(cursor: string): { after?: unknown; filters?: string | undefined } {
  try {
    const decoded = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (Array.isArray(decoded)) return { after: decoded }
    return { after: decoded?.after, filters: String(decoded?.filters) }
  } catch {
    return {}
  }
}

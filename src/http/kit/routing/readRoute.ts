import { z } from 'zod'
import type { Refusal } from '../../../domain/refusal.ts'
import type { Projection } from '../../../projections/projection.ts'
import type { ListQuery } from '../../../projections/reading/listQuery.ts'
import type { Reading } from '../../../projections/reading/reader.ts'
import { unavailable } from '../problem.ts'
import type { Services } from '../services.ts'
import { etagOf, send } from './respond.ts'
import { type Declaration, type Input, paramsOf, type Route } from './route.ts'

/** How long a read waits for the read models to reach Min-Position. */
export const minPositionWithinMs = 5_000

const notAPosition = 'must be a position from Commit-Position'

export const minPosition = z
  .string()
  .regex(/^\d{1,16}$/, notAPosition)
  .transform(Number)
  .pipe(z.number().max(Number.MAX_SAFE_INTEGER, notAPosition))
  .optional()
  .describe('Answer only from read models that have reached this position.')

export interface ReadDeclaration<Path extends string, Query extends z.ZodObject> extends Declaration<Path> {
  readonly query?: Query
  /** The read models that it reads. */
  readonly reads: readonly Projection[]
}

export interface RecordDeclaration<Path extends string, Query extends z.ZodObject>
  extends ReadDeclaration<Path, Query> {
  /** Find the row, with the revision of its last event as `revision`. */
  readonly find: (reading: Reading, input: Input<Path, z.output<Query>, undefined>) => ListQuery
  readonly missing: (input: Input<Path, z.output<Query>, undefined>) => Refusal
  /** Turn the row into the answered record, where they differ. */
  readonly present?: (row: never) => object
  readonly record: z.ZodType
}

/** Declare a route that reads one record. */
export function record<
  const Path extends string,
  Query extends z.ZodObject = z.ZodObject<Record<never, never>>,
>(declaration: RecordDeclaration<Path, Query>): Route {
  return {
    ...declaration,
    method: 'get',
    params: paramsOf(declaration),
    query: (declaration.query ?? z.object({})).strict(),
    headers: z.object({ 'min-position': minPosition }),
    body: undefined,
    responses: {
      200: { description: 'The record.', schema: declaration.record, headers: ['ETag', 'Read-Position'] },
    },
    problems: [404],
    async answer({ res, params, query, headers, principal }, services) {
      const { reads, find, missing, present } = declaration
      const input = { params, query, body: undefined, principal } as unknown as Input<
        Path,
        z.output<Query>,
        undefined
      >
      await untilReached(services, reads, headers['min-position'])
      const { value: row, position } = await services.reader.read(reads, async (reading) => {
        const [found] = await reading.query<{ revision: number }>(find(reading, input))
        if (!found) throw missing(input)
        return found
      })
      const { revision, ...found } = row
      send(res, {
        status: 200,
        headers: { 'Cache-Control': 'private, no-cache', 'Read-Position': position, ETag: etagOf(revision) },
        body: present?.(found as never) ?? found,
      })
    },
  }
}

/** @throws Problem 503 `read-model-behind` */
export async function untilReached(
  { positions }: Services,
  reads: readonly Projection[],
  position: unknown,
): Promise<void> {
  if (position === undefined) return
  if (await positions.waitFor(reads, position as number, minPositionWithinMs)) return
  throw unavailable(
    'read-model-behind',
    `The read models have not reached position ${position} yet. Try again later.`,
  )
}

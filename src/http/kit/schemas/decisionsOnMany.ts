import { z } from 'zod'
import type { DecisionOnOne } from '../../../commands/decideOnMany.ts'
import { fault } from '../../../problems/requests.ts'
import { problemOf } from '../problem.ts'
import { id } from '../routing/route.ts'

/** A request that decides on many records by their ids, and its answer: one result for each record. */

/** The most records of one request. */
const most = 500

/** The ids of the records. One that is named again has one result. */
export const idsOfMany = z
  .array(id)
  .min(1, 'must have at least 1 member')
  .max(most, `must have at most ${most} members`)
  .transform((ids) => [...new Set(ids)])

const outcomes = ['updated', 'unchanged'] as const

const decisionOnOne = z
  .looseObject({
    id: z.guid(),
    status: z.int().meta({ description: 'The status of the same request for this record alone.' }),
    outcome: z.enum(outcomes).optional(),
    code: z.string().optional().meta({ description: 'The code of the problem.' }),
    detail: z.string().optional(),
    errors: z.array(fault).optional(),
  })
  .meta({
    id: 'DecisionOnOne',
    description:
      'A refused decision has the members of the problem of the same request for this record alone.',
  })

export const decisionsOnMany = z
  .object({
    results: z
      .array(decisionOnOne)
      .meta({ description: 'One for each record, in the order in which the request names them.' }),
    summary: z.object({ updated: z.int(), unchanged: z.int(), failed: z.int() }),
  })
  .meta({ id: 'DecisionsOnMany' })

/** @param succeeded the status of a request for one record that succeeds */
export function presentMany(
  decisions: readonly DecisionOnOne[],
  succeeded: number,
): z.input<typeof decisionsOnMany> {
  const results = decisions.map((decision) => {
    if (!decision.refusal)
      return {
        id: decision.id,
        status: succeeded,
        outcome: decision.changed ? ('updated' as const) : ('unchanged' as const),
      }
    const { status, code, message, members } = problemOf(decision.refusal)
    return { id: decision.id, status, code, detail: message, ...members }
  })
  const count = (outcome: (typeof outcomes)[number] | undefined) =>
    results.filter((result) => ('outcome' in result ? result.outcome : undefined) === outcome).length
  return {
    results,
    summary: { updated: count('updated'), unchanged: count('unchanged'), failed: count(undefined) },
  }
}

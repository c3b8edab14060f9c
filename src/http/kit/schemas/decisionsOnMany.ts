import { z } from 'zod'
import type { DecisionOnOne } from '../../../commands/executor/decideOnMany.ts'
import type { Fault } from '../../../domain/kernel/refusal.ts'
import { fault, maxListedFaults } from '../../../problems/requests.ts'
import { pointerStep } from '../body/json.ts'
import { problemOf } from '../problem.ts'
import { id } from '../routing/route.ts'
import { listOf, recordOf } from './collections.ts'

/** A request that decides on many records by their ids, and its answer: one result for each record. */

/** The most records of one request. */
const most = 500

/** The ids of the records. One that is named again has one result. */
export const idsOfMany = listOf(id, { least: 1, most }).transform((ids) => [...new Set(ids)])

/** The state of each record that the caller has seen. */
export const revisions = recordOf(id, z.int().min(0, 'must be at least 0')).optional().meta({
  description:
    'By id, the `revision` of the record as the caller has seen it. A record with another one is answered 412 in its result. It does for each record what If-Match does for one.',
})

/** Return the faults of revisions of records that the request does not name. @param ids the member with the ids */
export function unnamedRevisions(ids: string): (body: unknown) => readonly Fault[] {
  return (body) => {
    const { [ids]: named, revisions = {} } = (body ?? {}) as Readonly<Record<string, unknown>>
    if (!Array.isArray(named) || typeof revisions !== 'object' || revisions === null) return []
    const namedIds = new Set(named.map((one) => String(one).toLowerCase()))
    return Object.keys(revisions)
      .filter((one) => !namedIds.has(one.toLowerCase()))
      .slice(0, maxListedFaults)
      .map((one) => ({
        path: `/revisions${pointerStep(one)}`,
        code: 'unknown-member',
        message: `must be left out: ${ids} does not name this record`,
      }))
  }
}

const outcomes = ['updated', 'unchanged'] as const

const decisionOnOne = z
  .looseObject({
    id: z.guid(),
    status: z.int().meta({ description: 'The status of the same request for this record alone.' }),
    outcome: z.enum(outcomes).meta({ id: 'DecisionOutcome' }).optional(),
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

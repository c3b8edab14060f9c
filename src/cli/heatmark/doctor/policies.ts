import { setTimeout as pause } from 'node:timers/promises'
import { isFailure } from '../../../lib/failure.ts'
import type { NamedPolicy } from '../../../policies/all.ts'
import { loadCheckpoint } from '../../../policies/jobs.ts'
import {
  listParked,
  type ParkedCompany,
  type PolicyStatus,
  readPolicyStatuses,
} from '../../../policies/policyStatus.ts'
import { rewoundTodo } from '../../../projections/engine/operations/conditions.ts'
import type { EventStore } from '../../../stores/eventStore.ts'
import type { Postgres } from '../../../stores/postgres/postgres.ts'
import { checkHistory } from '../../../stores/subscription/checkpoint.ts'
import { type Finding, ok, problem } from './finding.ts'
import { mendOf } from './mends.ts'
import { catchUpMs } from './readModels.ts'

export interface PolicyOptions {
  readonly eventStore: EventStore
  readonly postgres: Postgres
  readonly storeId: string
  readonly head: number
}

/** Check the position of a policy, that the store has its checkpoint, and that no company is parked. */
export async function checkPolicy(
  { name, leader, work: check }: NamedPolicy,
  { eventStore, postgres, storeId, head }: PolicyOptions,
  clock: () => number,
  isLed: boolean,
): Promise<Finding> {
  const look = async () => (await readPolicyStatuses(postgres, storeId, [name]))[0]!
  // A policy without a working leader makes no progress.
  const end = clock() + (isLed ? catchUpMs : 0)
  let status = await look()
  while (status.position < head && status.jobs === 0 && clock() < end) {
    await pause(lookEveryMs)
    status = await look()
  }
  try {
    const checkpoint = await loadCheckpoint(postgres, storeId, name)
    if (checkpoint) await checkHistory(eventStore, checkpoint)
  } catch (error) {
    const todo = isFailure(error, 'event-store-went-back') ? rewoundTodo : 'check the event store'
    return problem(check, (error as Error).message, todo)
  }
  if (status.parked > 0) {
    const parked = await listParked(postgres, { storeId, policy: name, most: namedCompanies })
    return parkedFinding(check, status, parked)
  }
  if (status.position >= head) return ok(check, `every event is applied, up to position ${status.position}`)
  const found = `at ${status.position} of ${head}, with ${countOf(status.jobs, 'open job')}`
  if (isLed && status.jobs > 0) return ok(check, found)
  const todo = isLed
    ? `run this again in a minute; if the position is the same, the log of the leading process says why ("policy ${name}: …")`
    : `resolve the problem of the ${leader} above`
  return problem(check, found, todo)
}

const lookEveryMs = 100
/** The most parked companies that are named. */
const namedCompanies = 5

function parkedFinding(
  check: string,
  { parked, position }: PolicyStatus,
  companies: readonly ParkedCompany[],
): Finding {
  const named = companies.map(
    ({ companyId, reason, parkedAt }) => `${companyId} since ${parkedAt}: ${reason}`,
  )
  const more = parked > companies.length ? [`and ${parked - companies.length} more`] : []
  const mends = new Set(companies.map(({ reason }) => mendOf(reason) ?? 'resolve the reason'))
  return problem(
    check,
    `${countOf(parked, 'company', 'companies')} cannot be served; the others are, up to position ${position}. ${[...named, ...more].join('; ')}`,
    `${[...mends].join('; ')}. The service tries each again by itself, within 5 minutes`,
  )
}

function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

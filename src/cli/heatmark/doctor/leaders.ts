import { setTimeout as pause } from 'node:timers/promises'
import type { EventStore } from '../../../eventStore.ts'
import { loadCheckpoint } from '../../../policies/jobs.ts'
import { ruleTaggingName } from '../../../policies/ruleTagging.ts'
import {
  leaseNameOf,
  listParked,
  lookAtPolicies,
  type ParkedCompany,
  type PolicyStanding,
} from '../../../policies/standing.ts'
import { newerRelease, notShipped } from '../../../policies/trouble.ts'
import type { Postgres } from '../../../postgres.ts'
import { projections } from '../../../projections/all.ts'
import { newerReleaseTodo, wentBackTodo } from '../../../projections/operations/troubles.ts'
import { checkHistory, WentBack, wentBackCode } from '../../../projections/projector/feed.ts'
import { projectorLease } from '../../../projections/schema/schema.ts'
import { schemaName } from '../../../projections/schema/sql.ts'
import { duration, type Finding, ok, problem } from './finding.ts'
import { catchUpMs } from './readModels.ts'

/** Who projects and who evaluates rules: one process each, by a lease; and how far the rules are. */

interface Held {
  readonly owner: string
  readonly fencing: number
  /** Milliseconds; negative once it has expired. */
  readonly leftMs: number
  readonly trouble: string | null
  /** Its connection, as PostgreSQL sees it; null when that is gone. */
  readonly address: string | null
}

const holderOf = async (postgres: Postgres, name: string): Promise<Held | undefined> => {
  const [held] = await postgres.query<Held>(
    `SELECT owner, fencing, trouble,
       CASE WHEN expires_at = '-infinity' THEN -1
            ELSE extract(epoch FROM expires_at - clock_timestamp())::float8 * 1000 END AS "leftMs",
       CASE WHEN a.pid IS NOT NULL THEN coalesce(host(a.client_addr) || ':' || a.client_port, 'a local socket') END AS address
     FROM heatmark_local.lease l
     LEFT JOIN pg_stat_activity a ON a.pid = l.backend_pid AND a.backend_start = l.backend_start
     WHERE name = $1`,
    [name],
  )
  return held
}

/** What to do about a trouble that begins with a code; undefined for others. */
const mendOf = (trouble: string): string | undefined => {
  if (trouble.startsWith(wentBackCode)) return wentBackTodo
  if (trouble.startsWith(newerRelease)) return newerReleaseTodo
  if (trouble.startsWith(notShipped))
    return 'run the release that ships these rule packs on every node: it goes on by itself'
  return undefined
}

const checkLease = async (
  postgres: Postgres,
  check: string,
  name: string,
  role: string,
): Promise<Finding> => {
  const held = await holderOf(postgres, name)
  const todo = `start a process with the role ${role} (HEATMARK_ROLES; all of them have it unless told otherwise), and look at its log`
  if (!held) return problem(check, 'nobody has ever led', todo)
  const mend = held.trouble === null ? undefined : mendOf(held.trouble)
  if (held.leftMs < 0) {
    const since = held.leftMs < -1 ? ` for ${duration(-held.leftMs)}` : ''
    const found = `nobody leads${since}; the last was ${held.owner}`
    if (held.trouble === null) return problem(check, found, todo)
    // It may run, and be about to try again.
    const seeTo = `see to what it complained of; if no process runs, ${todo}`
    return problem(check, `${found}, and said: ${held.trouble}`, mend ?? seeTo)
  }
  const found = `led by ${held.owner}, connected from ${held.address ?? 'nowhere any more'}, term ${held.fencing}`
  if (held.trouble === null) return ok(check, found)
  return problem(
    check,
    `${found}; it says: ${held.trouble}`,
    mend ?? 'it goes on trying: see to what it complains of',
  )
}

const lookEveryMs = 100
/** At most so many parked companies are named. */
const namedCompanies = 5

async function checkRulePacks(
  { eventStore, postgres, storeId, head }: LeadersOptions,
  clock: () => number,
  isWell: boolean,
): Promise<Finding> {
  const check = 'rule packs'
  const look = async () => (await lookAtPolicies(postgres, storeId, [ruleTaggingName]))[0]!
  // A policy that is not well goes no further meanwhile.
  const end = clock() + (isWell ? catchUpMs : 0)
  let standing = await look()
  while (standing.position < head && standing.jobs === 0 && clock() < end) {
    await pause(lookEveryMs)
    standing = await look()
  }
  try {
    const checkpoint = await loadCheckpoint(postgres, storeId, ruleTaggingName)
    if (checkpoint) await checkHistory(eventStore, checkpoint)
  } catch (error) {
    return problem(
      check,
      (error as Error).message,
      error instanceof WentBack ? wentBackTodo : 'see to the event store',
    )
  }
  if (standing.parked > 0) {
    const parked = await listParked(postgres, { storeId, policy: ruleTaggingName, most: namedCompanies })
    return parkedFinding(check, standing, parked)
  }
  if (standing.position >= head) return ok(check, `evaluated up to position ${standing.position}`)
  const found = `at ${standing.position} of ${head}, with ${countOf(standing.jobs, 'open job')}`
  if (isWell && standing.jobs > 0) return ok(check, found)
  return problem(
    check,
    found,
    isWell
      ? 'look again in a minute; if it has not moved, the log of the process that leads says why ("policy ruleTagging: …")'
      : 'see to the rule policy above',
  )
}

function parkedFinding(
  check: string,
  { parked, position }: PolicyStanding,
  companies: readonly ParkedCompany[],
): Finding {
  const named = companies.map(
    ({ companyId, reason, parkedAt }) => `${companyId} since ${parkedAt}: ${reason}`,
  )
  const more = parked > companies.length ? [`and ${parked - companies.length} more`] : []
  const mends = new Set(companies.map(({ reason }) => mendOf(reason) ?? 'see to the reason'))
  return problem(
    check,
    `${countOf(parked, 'company', 'companies')} cannot be served; the others are, up to position ${position}. ${[...named, ...more].join('; ')}`,
    `${[...mends].join('; ')}. Each is tried again by itself, after 5 minutes at most`,
  )
}

function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

export interface LeadersOptions {
  readonly eventStore: EventStore
  readonly postgres: Postgres
  readonly storeId: string
  readonly head: number
}

export const checkLeaders = async (
  options: LeadersOptions,
  clock: () => number,
): Promise<{ readonly findings: readonly Finding[]; readonly isLed: boolean }> => {
  const { postgres, storeId } = options
  const schema = schemaName(storeId, projections)
  const projector = await checkLease(postgres, 'projector', projectorLease(schema), 'projector')
  const rules = await checkLease(postgres, 'rule policy', leaseNameOf(ruleTaggingName, storeId), 'policies')
  const packs = await checkRulePacks(options, clock, rules.status === 'ok')
  return { findings: [projector, rules, packs], isLed: projector.status === 'ok' }
}

import { policies } from '../../../policies/all.ts'
import { leaseNameOf } from '../../../policies/policyStatus.ts'
import type { ReadModels } from '../../../projections/engine/schema/readModels.ts'
import { projectorLease } from '../../../projections/engine/schema/schema.ts'
import { signerLease } from '../../../proofs/signing/signing.ts'
import { isFromFutureSql } from '../../../stores/leading/lease.ts'
import type { Postgres } from '../../../stores/postgres/postgres.ts'
import { senderLease } from '../../../webhooks/sender.ts'
import { duration, type Finding, ok, problem, warning } from './finding.ts'
import { mendOf } from './mends.ts'
import { checkPolicy, type PolicyOptions } from './policies.ts'

/** Check that one process leads the projector, and one leads each policy. */

interface Held {
  readonly owner: string
  readonly fencing: number
  /** Milliseconds; negative once it has expired. */
  readonly leftMs: number
  readonly condition: string | null
  /** The address of its connection; null when that is gone. */
  readonly address: string | null
}

export async function checkLeaders(
  options: PolicyOptions & { readonly readModels: ReadModels },
  clock: () => number,
): Promise<{ readonly findings: readonly Finding[]; readonly isLed: boolean }> {
  const { postgres, storeId, readModels } = options
  const leaseName = projectorLease(readModels.schema)
  const projector = await checkLease(postgres, 'projector', leaseName, 'projector')
  const findings = [projector]
  for (const policy of policies) {
    const leader = await checkLease(postgres, policy.leader, leaseNameOf(policy.name, storeId), 'policies')
    findings.push(leader, await checkPolicy(policy, options, clock, leader.status === 'ok'))
  }
  findings.push(
    await checkSigner(postgres, storeId),
    await checkLease(postgres, 'webhooks', senderLease(storeId), 'policies'),
  )
  return { findings, isLed: projector.status === 'ok' }
}

/** A service without a key does all but sign. */
async function checkSigner(postgres: Postgres, storeId: string): Promise<Finding> {
  const name = signerLease(storeId)
  if (await holderOf(postgres, name)) return checkLease(postgres, 'signer', name, 'policies')
  const todo = 'give a process with the role policies the setting SIGNING_KEY (docs/operations.md)'
  return warning('signer', 'no process has ever signed the histories of companies', todo)
}

async function holderOf(postgres: Postgres, name: string): Promise<Held | undefined> {
  const [held] = await postgres.query<Held>(
    `SELECT owner, fencing, condition,
       CASE WHEN expires_at = '-infinity' OR ${isFromFutureSql} THEN -1
            ELSE extract(epoch FROM expires_at - clock_timestamp())::float8 * 1000 END AS "leftMs",
       CASE WHEN a.pid IS NOT NULL THEN coalesce(host(a.client_addr) || ':' || a.client_port, 'a local socket') END AS address
     FROM heatmark_local.lease l
     LEFT JOIN pg_stat_activity a ON a.pid = l.backend_pid AND a.backend_start = l.backend_start
     WHERE name = $1`,
    [name],
  )
  return held
}

async function checkLease(postgres: Postgres, check: string, name: string, role: string): Promise<Finding> {
  const held = await holderOf(postgres, name)
  const todo = `start a process with the role ${role} (PROCESS_ROLES; by default a process has all), and look at its log`
  if (!held) return problem(check, 'no process has ever led', todo)
  const mend = held.condition === null ? undefined : mendOf(held.condition)
  if (held.leftMs < 0) {
    const since = held.leftMs < -1 ? ` for ${duration(-held.leftMs)}` : ''
    const found = `no process leads${since}; the last was ${held.owner}`
    if (held.condition === null) return problem(check, found, todo)
    // The process may still run, and try again soon.
    const seeTo = `resolve that; if no process runs, ${todo}`
    return problem(check, `${found}, which reported: ${held.condition}`, mend ?? seeTo)
  }
  const found = `led by ${held.owner}, connected from ${held.address ?? 'nowhere'}, term ${held.fencing}`
  if (held.condition === null) return ok(check, found)
  return problem(
    check,
    `${found}; it reports: ${held.condition}`,
    mend ?? 'resolve that: the process keeps trying',
  )
}

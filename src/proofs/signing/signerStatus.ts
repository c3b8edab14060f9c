import { runsSql } from '../../stores/leading/lease.ts'
import type { Queries } from '../../stores/postgres/postgres.ts'
import { signerLease } from './signing.ts'

/** The signer as every process sees it, whether or not it has a key. */
export interface SignerStatus {
  /** Whether any process holds the lease. */
  readonly isHeld: boolean
  /** The condition that keeps the holder, or the last one, from signing; null for none. */
  readonly condition: string | null
}

/** Return null if no process has ever held the lease, as in a service without a key. @throws PostgresUnavailable */
export async function readSignerStatus(postgres: Queries, storeId: string): Promise<SignerStatus | null> {
  const [status] = await postgres.query<SignerStatus>(
    `SELECT ${runsSql} AS "isHeld", condition
     FROM heatmark_local.lease l WHERE name = $1`,
    [signerLease(storeId)],
  )
  return status ?? null
}

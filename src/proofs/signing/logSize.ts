import { findSize } from '../../projections/audit/log.ts'
import type { Reading } from '../../projections/engine/reading/reader.ts'

/** Return the number of events in the log of a company. */
export async function sizeOf(reading: Reading, companyId: string): Promise<number> {
  const [head] = await reading.query<{ size: number }>(findSize(reading, companyId))
  return head?.size ?? 0
}

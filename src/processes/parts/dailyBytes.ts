import { type BytesByAuthor, createDailyBytes, type DailyBytes, dayOf } from '../../admission/dailyBytes.ts'
import {
  type BytesOfAll,
  dailyBytes,
  findDailyBytes,
  sumDailyBytes,
} from '../../projections/company/dailyBytes.ts'
import type { Runtime } from './runtime.ts'
import type { Stores } from './stores.ts'

/** Bound what the persons of a company record in a day, as the settings say. */
export function boundDailyBytes(
  { config: { dailyBytesOfCompany: limit }, now, clock }: Pick<Runtime, 'config' | 'now' | 'clock'>,
  { reader }: Pick<Stores, 'reader'>,
): DailyBytes {
  return createDailyBytes({
    limit,
    now,
    clock,
    async look(companyId, day) {
      const { value } = await reader.read([dailyBytes], (reading) =>
        reading.query<BytesByAuthor>(findDailyBytes(reading, companyId, day)),
      )
      return value[0] ?? { persons: 0, others: 0 }
    },
  })
}

/** Return what all companies have recorded today. */
export async function readDailyBytes(
  { config: { dailyBytesOfCompany: limit }, now }: Pick<Runtime, 'config' | 'now'>,
  { reader }: Pick<Stores, 'reader'>,
): Promise<BytesOfAll> {
  const { value } = await reader.read([dailyBytes], (reading) =>
    reading.query<BytesOfAll>(sumDailyBytes(reading, dayOf(now()), limit)),
  )
  return value[0]!
}

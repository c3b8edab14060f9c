import type { Queries } from './postgres.ts'

/** The difference between this machine's clock and another one, and its bound for PostgreSQL's clock. */

/**
 * A node whose clock differs from PostgreSQL's by more than this, in milliseconds, records nothing: its events would
 * carry wrong times, and its API keys would expire at wrong times. So the clocks of two nodes that do record differ
 * by twice as much at most.
 */
export const tolerableSkewMs = 300_000

/** A reading of another clock: `askedAt` and `heard` in milliseconds of this machine's clock. */
export interface ClockReading {
  readonly askedAt: number
  readonly heard: number
  /** Milliseconds since 1970. */
  readonly time: number
}

export interface Skew {
  /** Milliseconds that the other clock is ahead of this machine's; negative when it is behind. */
  readonly ms: number
  /** How many milliseconds that may be wrong. */
  readonly uncertainMs: number
}

/**
 * The other clock was read somewhere between the question and its answer, so the middle of the two is compared.
 * @param coarseMs the unit in which the other clock tells the time
 */
export function skewOf({ askedAt, heard, time }: ClockReading, coarseMs = 0): Skew {
  return { ms: time + coarseMs / 2 - (askedAt + heard) / 2, uncertainMs: (heard - askedAt + coarseMs) / 2 }
}

/** Whether the clocks surely differ by more than `mostMs`. */
export function differsBy(mostMs: number, { ms, uncertainMs }: Skew): boolean {
  return Math.abs(ms) - uncertainMs > mostMs
}

/** SQL of the present time in milliseconds since 1970. */
export const postgresTimeSql = 'extract(epoch FROM clock_timestamp())::float8 * 1000'

/** @throws PostgresUnavailable */
export async function readPostgresClock(postgres: Queries, now: () => Date): Promise<ClockReading> {
  const askedAt = now().getTime()
  const [row] = await postgres.query<{ ms: number }>(`SELECT ${postgresTimeSql} AS ms`, [])
  return { askedAt, heard: now().getTime(), time: row!.ms }
}

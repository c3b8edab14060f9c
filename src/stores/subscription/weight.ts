import type { Recorded } from '../../domain/kernel/event.ts'

/**
 * About how many rows an event may touch: one, and one for each item of its lists. Another program's event may have
 * any JSON for its data.
 */
export function weightOf({ data }: Recorded): number {
  let weight = 1
  for (const value of Object.values(data ?? {})) if (Array.isArray(value)) weight += value.length
  return weight
}

import type { Query, Reading } from '../../src/projections/engine/reading/reader.ts'

/** Run a query, and return how many pages of 8 KiB it read, from memory or from the disk. */
export async function buffersOf({ query }: Pick<Reading, 'query'>, { text, values }: Query): Promise<number> {
  const [row] = await query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>({
    text: `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${text}`,
    values,
  })
  const { Plan } = row!['QUERY PLAN'][0]
  return Plan['Shared Hit Blocks']! + Plan['Shared Read Blocks']!
}

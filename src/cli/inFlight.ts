/**
 * `work` on every item, at most `limit` at once, results in the order of the items. After the first failure
 * no further item is begun; those under way are waited for, then that failure is thrown.
 */
export async function mapInFlight<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length)
  const failures: unknown[] = []
  let next = 0

  const lane = async () => {
    while (next < items.length && failures.length === 0) {
      const index = next++
      try {
        results[index] = await work(items[index]!, index)
      } catch (error) {
        failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, lane))
  if (failures.length > 0) throw failures[0]
  return results
}

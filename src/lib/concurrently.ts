/**
 * Do `work` for every item, at most `limit` at a time, and return the results in the order of the items. After a
 * failure no work begins; the work under way is awaited, and the first failure is thrown.
 */
export async function concurrently<Item, Result>(
  limit: number,
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = new Array(items.length)
  const waiting = items.entries()
  let failed = false
  const worker = async () => {
    for (const [index, item] of waiting) {
      if (failed) return
      try {
        results[index] = await work(item, index)
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  const workers = await Promise.allSettled(Array.from({ length: Math.min(limit, items.length) }, worker))
  const failure = workers.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined
  if (failure) throw failure.reason
  return results
}

import { awaitLater } from './awaitLater.ts'

/**
 * Do `work` for each item of `source`, at most `atOnce` at a time, and yield the results in the order of the items. A
 * failure is thrown in its turn; then no work begins.
 */
export async function* inOrder<Item, Result>(
  source: AsyncIterable<Item>,
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result, void> {
  const begun: Promise<Result>[] = []
  for await (const item of source) {
    begun.push(awaitLater(work(item)))
    if (begun.length >= atOnce) yield await begun.shift()!
  }
  while (begun.length > 0) yield await begun.shift()!
}

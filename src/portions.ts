import type { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** So many items wait for whoever reads them; then the stream waits, too. */
const most = 100

/**
 * What a stream of objects brings, in portions: a wait for every item would cost more than the item. Whoever
 * stops before the end leaves the stream running, with nobody to take what comes.
 * @param patience makes a wait for news one that ends
 * @throws what the stream fails with, and what `patience` does
 */
export async function* portionsOf<Item>(
  stream: Readable,
  patience: (news: Promise<void>) => Promise<void>,
): AsyncGenerator<readonly Item[], void> {
  let portion: Item[] = []
  let news = Promise.withResolvers<void>()
  let over: { readonly failure?: unknown } | undefined
  const take = (item: Item) => {
    portion.push(item)
    if (portion.length >= most) stream.pause()
    news.resolve()
  }
  const end = (failure?: unknown) => {
    over ??= { failure }
    news.resolve()
  }
  stream.on('data', take).on('end', end).on('error', end)
  stream.on('close', () => end(new Error('closed before its end')))
  try {
    for (;;) {
      await patience(news.promise)
      // Until all that came with the first is there.
      await nextTurn()
      const [ready, wasOver] = [portion, over]
      portion = []
      news = Promise.withResolvers()
      stream.resume()
      if (ready.length > 0) yield ready
      if (wasOver?.failure) throw wasOver.failure
      if (wasOver) return
    }
  } finally {
    stream.off('data', take).resume()
  }
}

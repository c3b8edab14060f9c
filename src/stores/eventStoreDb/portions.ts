import type { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** The stream is paused while this many items wait for the reader. */
const most = 100

/**
 * Return the objects of a stream in portions, because a wait for every object would cost more than the object. A
 * reader that stops early leaves the stream running, and its objects are dropped.
 * @param patience limits a wait for news
 * @throws the error of the stream, or that of `patience`
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
      // Let the objects that arrived with the first one join its portion.
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

import { awaitLater } from './awaitLater.ts'

/** Gives the items of `source`, and has it work on the next while the caller works on the last. */
export async function* readAhead<Item>(source: AsyncIterable<Item>): AsyncGenerator<Item, void> {
  const items = source[Symbol.asyncIterator]()
  const ask = () => awaitLater(items.next())
  try {
    for (let asked = ask(); ; ) {
      const { done, value } = await asked
      if (done) return
      asked = ask()
      yield value
    }
  } finally {
    await items.return?.()
  }
}

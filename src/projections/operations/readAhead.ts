/** Gives the items of `source`, and has it work on the next while the caller works on the last. */
export async function* readAhead<Item>(source: AsyncIterable<Item>): AsyncGenerator<Item, void> {
  const items = source[Symbol.asyncIterator]()
  const ask = () => {
    const asked = items.next()
    // Whoever takes it hears of a failure; a caller that stops before that need not.
    asked.catch(() => {})
    return asked
  }
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

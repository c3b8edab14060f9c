/** Look-ups under way at the same time; more wait, and go together. */
const atOnce = 2

interface Asked<Value> {
  readonly answer: (value: Value | undefined) => void
  readonly fail: (error: unknown) => void
}

/**
 * Looks up one thing at a time by looking up many: those that are asked for while look-ups are under way go
 * together in the next. Whatever is answered was looked up after it was asked for.
 * @param nameOf the name that a value was asked for by
 */
export function gathered<Value>(
  lookUp: (names: readonly string[]) => Promise<readonly Value[]>,
  nameOf: (value: Value) => string,
): (name: string) => Promise<Value | undefined> {
  let waiting = new Map<string, Asked<Value>[]>()
  let underWay = 0

  const lookUpNext = async (): Promise<void> => {
    const batch = waiting
    waiting = new Map()
    underWay += 1
    try {
      const found = new Map((await lookUp([...batch.keys()])).map((value) => [nameOf(value), value]))
      for (const [name, asked] of batch) for (const { answer } of asked) answer(found.get(name))
    } catch (error) {
      for (const asked of batch.values()) for (const { fail } of asked) fail(error)
    }
    underWay -= 1
    if (waiting.size > 0) void lookUpNext()
  }

  return (name) =>
    new Promise((answer, fail) => {
      const asked = waiting.get(name)
      if (asked) asked.push({ answer, fail })
      else waiting.set(name, [{ answer, fail }])
      if (underWay < atOnce) void lookUpNext()
    })
}

import { createSharedReads } from './sharedReads.ts'

/** Look-ups under way at the same time. */
const atOnce = 2

/**
 * Return a function that looks up one thing by looking up many: the names that are asked for while look-ups are under way
 * go together in the next. Every answer was looked up after it was asked for.
 * @param nameOf the name that a value was asked for by
 */
export function createSharedLookUps<Value>(
  lookUp: (names: readonly string[]) => Promise<readonly Value[]>,
  nameOf: (value: Value) => string,
): (name: string) => Promise<Value | undefined> {
  const shared = createSharedReads(atOnce)
  let waiting = new Set<string>()
  const lookUpAll = async () => {
    const names = [...waiting]
    waiting = new Set()
    return new Map((await lookUp(names)).map((value) => [nameOf(value), value]))
  }
  return async (name) => {
    waiting.add(name)
    return (await shared('', lookUpAll)).get(name)
  }
}

/**
 * Read for a key, or share another caller's read. A caller that asks while a read is under way gets the next one, so
 * every read begins after all the calls that it answers.
 */
export type SharedReads = <Result>(key: string, read: () => Promise<Result>) => Promise<Result>

interface Turn {
  readonly now: Promise<unknown>
  next?: Promise<unknown>
}

export function createSharedReads(): SharedReads {
  const underWay = new Map<string, Turn>()

  const begin = <Result>(key: string, read: () => Promise<Result>): Promise<Result> => {
    const now = read()
    const turn: Turn = { now }
    underWay.set(key, turn)
    const end = () => {
      if (!turn.next) underWay.delete(key)
    }
    now.then(end, end)
    return now
  }

  return <Result>(key: string, read: () => Promise<Result>) => {
    const turn = underWay.get(key)
    if (!turn) return begin(key, read)
    turn.next ??= turn.now.catch(() => {}).then(() => begin(key, read))
    return turn.next as Promise<Result>
  }
}

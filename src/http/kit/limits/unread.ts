/**
 * Bound the bytes of answers that clients have not read. A client may ask for many large answers and then read them
 * slowly, or never, while the service holds all of them. One caller may leave a quarter of the bound unread, or one answer
 * however large.
 */
export interface Unread {
  /**
   * Note how many bytes of an answer are unread by now. Above the bound of this caller, close the connection of the
   * caller's oldest answer; above the bound of all, that of the oldest answer of the caller who has left most unread.
   */
  note(answer: Answer, caller: string): void
  /** The unread bytes of all answers, as they were noted. */
  bytes(): number
}

/** The part of a response of Node that counts here. */
interface Answer {
  readonly writableLength: number
  destroy(): unknown
  once(event: 'close', listener: () => void): unknown
}

/** Answers with fewer unread bytes are not counted: a connection takes as much by itself. */
const leastBytes = 16_384

/** The bytes of the answers of one caller, the oldest first. */
interface Held {
  bytes: number
  readonly answers: Map<Answer, number>
}

export function createUnread(maxBytes: number): Unread {
  const callers = new Map<string, Held>()
  let total = 0

  const forget = (answer: Answer, caller: string): void => {
    const held = callers.get(caller)
    const bytes = held?.answers.get(answer)
    if (!held || bytes === undefined) return
    held.answers.delete(answer)
    held.bytes -= bytes
    total -= bytes
    if (held.answers.size === 0) callers.delete(caller)
  }

  const count = (answer: Answer, caller: string): void => {
    const held = callers.get(caller) ?? { bytes: 0, answers: new Map<Answer, number>() }
    const before = held.answers.get(answer)
    const now = answer.writableLength
    callers.set(caller, held)
    held.answers.set(answer, now)
    held.bytes += now - (before ?? 0)
    total += now - (before ?? 0)
    if (before === undefined) answer.once('close', () => forget(answer, caller))
  }

  const closeOldest = (caller: string): void => {
    const [answer] = callers.get(caller)!.answers.keys()
    forget(answer!, caller)
    answer!.destroy()
  }

  const hasMost = (): string =>
    [...callers].reduce((most, one) => (one[1].bytes > most[1].bytes ? one : most))[0]

  return {
    note(answer, caller) {
      if (answer.writableLength < leastBytes && !callers.get(caller)?.answers.has(answer)) return
      count(answer, caller)
      const held = callers.get(caller)!
      while (held.bytes > maxBytes / 4 && held.answers.size > 1) closeOldest(caller)
      while (total > maxBytes) closeOldest(hasMost())
    },
    bytes: () => total,
  }
}

import { createShares } from './shares.ts'

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

export function createUnread(maxBytes: number): Unread {
  const unread = createShares()
  /** The answers of each caller, the oldest first, with their unread bytes. */
  const callers = new Map<string, Map<Answer, number>>()

  const count = (answer: Answer, caller: string): void => {
    const answers = callers.get(caller) ?? new Map<Answer, number>()
    if (!answers.has(answer)) answer.once('close', () => forget(answer, caller))
    unread.add(caller, answer.writableLength - (answers.get(answer) ?? 0))
    callers.set(caller, answers.set(answer, answer.writableLength))
  }

  const forget = (answer: Answer, caller: string): void => {
    const answers = callers.get(caller)
    unread.add(caller, -(answers?.get(answer) ?? 0))
    answers?.delete(answer)
    if (answers?.size === 0) callers.delete(caller)
  }

  const closeOldest = (caller: string): void => {
    const [answer] = callers.get(caller)!.keys()
    forget(answer!, caller)
    answer!.destroy()
  }

  return {
    note(answer, caller) {
      if (answer.writableLength < leastBytes && !callers.get(caller)?.has(answer)) return
      count(answer, caller)
      while (unread.of(caller) > maxBytes / 4 && callers.get(caller)!.size > 1) closeOldest(caller)
      while (unread.total() > maxBytes) closeOldest(unread.largestHolder())
    },
    bytes: unread.total,
  }
}

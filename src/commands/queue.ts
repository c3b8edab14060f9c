import { Refusal } from '../domain/refusal.ts'

/** Run `work` after everything queued before it under the same name. @throws Refusal `too-busy` when the queue is full */
export type Queue = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>

/** Create one queue for each name, at most `longest` long, so that a process never races itself for a stream. */
export function createQueue(longest: number): Queue {
  const lines = new Map<string, { length: number; tail: Promise<unknown> }>()

  return async (name, work) => {
    const line = lines.get(name) ?? { length: 0, tail: Promise.resolve() }
    if (line.length >= longest)
      throw new Refusal(
        'too-busy',
        `${longest} commands wait for the same records already; nothing was recorded. Try again in a moment.`,
      )
    lines.set(name, line)
    line.length += 1
    const turn = line.tail.then(work)
    line.tail = turn.catch(() => {})
    try {
      return await turn
    } finally {
      line.length -= 1
      if (line.length === 0) lines.delete(name)
    }
  }
}

import { Failure } from '../lib/failure.ts'
import type { UnreadableReason } from '../problems/faults.ts'

/** A file cannot be read at all. The message says why, for the person who sent it. */
export class Unreadable extends Failure<'unreadable'> {
  override readonly name = 'Unreadable'
  readonly reason: UnreadableReason

  constructor(reason: UnreadableReason, message: string) {
    super('unreadable', message)
    this.reason = reason
  }
}

export function unreadable(...why: ConstructorParameters<typeof Unreadable>): Unreadable {
  return new Unreadable(...why)
}

export const tooMuchMemory = 'The file takes too much memory to read. Split it into smaller files.'

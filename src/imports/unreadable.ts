import { Failure } from '../lib/failure.ts'
/** A file cannot be read at all. The message says why, for the person who sent it. */
export function unreadable(message: string): Failure {
  return new Failure('unreadable', message)
}

export const tooMuchMemory = 'The file takes too much memory to read. Split it into smaller files.'

/** A file cannot be read at all. The message says why, for the person who sent it. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

export const tooMuchMemory = 'The file takes too much memory to read. Split it into smaller files.'

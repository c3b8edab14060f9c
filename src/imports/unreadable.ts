/** The reasons why a file cannot be read at all. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

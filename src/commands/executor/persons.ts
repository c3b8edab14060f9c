import type { Actor } from '../../domain/kernel/event.ts'

/** The person or the program that gives a command. */
export interface Author extends Omit<Actor, 'nameHash'> {
  /** Empty when an API key was sent: then the newest name that the company knows counts. */
  readonly name: string
}

/** The names of persons, which each company keeps outside its events. */
export interface Persons {
  /**
   * Return the hash that the company's events name this person by, once its name is kept. Undefined when the company
   * may keep no name of the person, or knows none.
   * @throws Refusal `database-unavailable`
   */
  hashOf(companyId: string, person: Author): Promise<string | undefined>
  /**
   * Delete the names of a person that the company kept before the last erasure, once the read models show the erasure
   * recorded at `position`: from then on nobody writes a name back.
   * @throws Refusal `erasure-pending`
   */
  forget(companyId: string, userId: string, position: number): Promise<void>
}

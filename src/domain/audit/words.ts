import type { Change } from '../kernel/changes.ts'
import type { StateBefore } from './audited.ts'

/** Parts of the sentences and changes of a history. */

/** Stands for the name of the member whom a sentence is about. Readers fill it in, because the name can be erased. */
export const memberPlace = '{member}'

export function changeOf(field: string, from: unknown, to: unknown): Change[] {
  return from === to ? [] : [{ field, from, to }]
}

/** Return values that were absent before as changes from null. Leave out values that are still null. */
export function setFrom(values: object): Change[] {
  return Object.entries(values)
    .filter(([, to]) => to !== null)
    .map(([field, to]) => ({ field, from: null, to }))
}

export function certificateName(id: string, { certificateNumbers }: StateBefore): string {
  return `certificate ${certificateNumbers.get(id) ?? id}`
}

/** The most fields that a sentence names: a longer list would hide the rest of the sentence. */
const mostFields = 8

export function fieldsOf(changes: readonly Change[]): string {
  const fields = changes.map(({ field }) => field)
  const more = fields.length - mostFields
  return more > 0 ? `${fields.slice(0, mostFields).join(', ')} and ${more} more` : fields.join(', ')
}

export function saying(what: string, words: string | null): string {
  return words === null ? '' : ` ${what}: ${words}`
}

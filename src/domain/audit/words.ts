import type { Change } from '../kernel/changes.ts'
import { type Sentence, sentence, type Value } from '../verdict/sentence.ts'
import type { StateBefore } from './audited.ts'

/** Parts of the sentences and changes of a history. */

/** Stands for the name of the member whom a sentence is about. Readers fill it in, because the name can be erased. */
export const memberPlace = '{member}'

export function changeOf(field: string, from: unknown, to: unknown): Change[] {
  return from === to ? [] : [{ field, from, to }]
}

/** Return values that were absent before as changes from null. Leave out values that are still absent. */
export function setFrom(values: object): Change[] {
  return Object.entries(values)
    .filter(([, to]) => (to ?? null) !== null)
    .map(([field, to]) => ({ field, from: null, to }))
}

export function certificateNumber(id: string, { certificateNumbers }: StateBefore): string {
  return certificateNumbers.get(id) ?? id
}

/** The most fields that a sentence names: a longer list would hide the rest of the sentence. */
const mostFields = 8

export function fieldsOf(changes: readonly Change[]): Value {
  const fields = changes
    .slice(0, mostFields)
    .map(({ field }) => field)
    .join(', ')
  const count = changes.length - mostFields
  return count > 0 ? sentence('more-fields', { fields, count }) : fields
}

/** Return the part of a sentence that gives the words of a person; nothing if there are none. */
export function sayWords(what: 'reason' | 'note' | 'reference', words: string | null): Value {
  return words === null ? '' : sentence(what, { words })
}

/** Return the part of a sentence that is said only of some events; nothing of others. */
export function partIf(isSaid: boolean, text: Sentence['text'], values?: Sentence['values']): Value {
  return isSaid ? sentence(text, values) : ''
}

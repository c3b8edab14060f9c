import { type Part, textOf } from '../json.ts'
import { numberOf } from '../numbers.ts'
import type { At, Draft } from '../readRow.ts'
import { inUnit } from '../units.ts'

/** A value that the file offers for a field. */
export interface Choice {
  readonly value: string
  readonly at: At
}

/** Return the place of a part. */
export function placeOf({ pointer }: Part): At {
  return { pointer }
}

/** Return the choice that a part offers: none without a text. */
export function choiceIn(part: Part): Choice[] {
  const value = textOf(part)
  return value === undefined ? [] : [{ value, at: placeOf(part) }]
}

/** Propose the only choice. If there are several or none, leave the field open, because it must have a value. */
export function open(draft: Draft, field: string, choices: readonly Choice[], at: At): void {
  const different = new Set(choices.map(({ value }) => value))
  if (different.size === 1) draft.propose(field, choices[0]!.value, choices[0]!.at)
  else draft.leaveOpen(field, [...different], at)
}

/** Propose a text, if there is one. */
export function proposeText(draft: Draft, field: string, part: Part): void {
  const text = textOf(part)
  if (text !== undefined) draft.propose(field, text, placeOf(part))
}

/** Propose a percentage or an energy, which has no thousands. Leave a text that is no number open. */
export function readShare(draft: Draft, field: string, part: Part): void {
  const text = textOf(part)
  const number = numberOf(text ?? '')
  if (number !== undefined) draft.propose(field, number, placeOf(part))
  else if (text !== undefined) draft.leaveOpen(field, [], placeOf(part), text)
}

/** Propose an energy in J. Leave a text that is no number, or a number in an unknown unit, open. */
export function readEnergy(draft: Draft, field: string, part: Part, unit: string | undefined): void {
  const text = textOf(part)
  if (text === undefined) return
  const number = numberOf(text)
  const { values, conversion } = (number !== undefined && inUnit([number], 'J', unit)) || { values: [] }
  if (values.length === 1) draft.propose(field, values[0], placeOf(part), conversion)
  else draft.leaveOpen(field, [], placeOf(part), unit === undefined ? text : `${text} ${unit}`)
}

import { type Part, textOf } from '../json.ts'
import type { At, Draft } from '../readRow.ts'

/** A value that the file offers for a field. */
export interface Choice {
  readonly value: string
  readonly at: At
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
  if (text !== undefined) draft.propose(field, text, { pointer: part.pointer })
}

import { createDraft, type Draft, type ReadRow } from '../readRow.ts'

/** Records of which a table has several rows: an order has one for each line item, a plan one for each cut. */

interface Group {
  readonly draft: Draft
  readonly line: number
}

interface Groups {
  /** Return the draft of the record with this key, and whether it is new. */
  of(key: string, line: number): { readonly draft: Draft; readonly isNew: boolean }
  /** Return the records in the order of their first rows. */
  finish(): Iterable<ReadRow>
}

export function createGroups(): Groups {
  const groups = new Map<string, Group>()
  return {
    of(key, line) {
      const group = groups.get(key)
      if (group) return { draft: group.draft, isNew: false }
      const draft = createDraft()
      groups.set(key, { draft, line })
      return { draft, isNew: true }
    },
    *finish() {
      let row = 0
      for (const { draft, line } of groups.values()) {
        row += 1
        yield draft.finish(row, { line, column: 1 })
      }
    },
  }
}

/** Hand the values of a row to the draft of its record, each under the name that the record gives it. */
export function transfer(from: ReadRow, into: Draft, nameOf: (field: string) => string): void {
  for (const { field, value, at, conversion } of from.values)
    into.propose(nameOf(field), value, at, conversion)
  for (const { field, candidates, at, text } of from.undecided)
    into.leaveOpen(nameOf(field), candidates, at, text)
  for (const { field, ...fault } of from.faults)
    into.refuse({ ...fault, ...(field !== undefined && { field: nameOf(field) }) })
}

import type { Doubt } from '../domain/certificates/readingDoubts.ts'
import { sameValue } from '../domain/kernel/changes.ts'
import type { FaultCode } from '../problems/faults.ts'

/** The rows that a reader finds in a file, before they are checked and recorded. */

/**
 * The place in the file: a JSON Pointer (RFC 6901); line and column of a table, from 1, with the name of the cell in a
 * spreadsheet; or a page, from 1, and a box on it in points from its lower left corner: left, bottom, right, top.
 */
export type At =
  | { readonly pointer: string }
  | { readonly line: number; readonly column: number; readonly cell?: string }
  | {
      readonly page: number
      readonly box: readonly [number, number, number, number]
      /** Degrees by which a scanned page has to be turned clockwise to stand upright. */
      readonly turned?: 90 | 180 | 270
    }

/** A value of a record. `field` is a path with dots, such as `chemistry.C` or `tests.0.rmMpa`. */
export interface ReadValue {
  readonly field: string
  readonly value: unknown
  readonly at: At
  /** The certainty of the least certain letter of a scan, from 0 to 1. */
  readonly confidence?: number
  /** The conversion of a number from another unit, such as "56.5 ksi = 390 MPa". */
  readonly conversion?: string
}

/** A field that the file does not decide: a person chooses one of the candidates, gives another value or leaves it out. */
export interface Undecided {
  readonly field: string
  readonly candidates: readonly unknown[]
  readonly at: At
  /** The text as it stands in the file, if it says more than the candidates. */
  readonly text?: string
  /** Why the only candidate is in doubt. */
  readonly doubt?: Doubt
  readonly confidence?: number
}

export interface ReadFault {
  /** The field that the value belongs to. A decision about this field removes the fault. */
  readonly field?: string
  readonly at: At
  readonly code: FaultCode
  readonly message: string
}

/** Values that the file has and no field takes, such as a column that is not understood. */
export interface NotTaken {
  /** The words above or before them; empty when there are none. */
  readonly heading: string
  readonly values: number
  readonly at: At
}

export interface ReadRow {
  /** From 1, in the order of the file. */
  readonly row: number
  /** Where the row begins. */
  readonly at: At
  readonly values: readonly ReadValue[]
  readonly undecided: readonly Undecided[]
  readonly faults: readonly ReadFault[]
  /** The text of each page of a PDF. */
  readonly pages?: readonly { readonly page: number; readonly text: string }[]
  /** The fields that nearly every certificate states, and this one does not, or not legibly. */
  readonly notFound?: readonly string[]
  /** The pages of its certificate, in a file that holds several certificates. */
  readonly onPages?: readonly number[]
  /** The first row has those of the whole file. */
  readonly notTaken?: readonly NotTaken[]
}

/** Gathers what one row holds. */
export interface Draft {
  propose(field: string, value: unknown, at: At, conversion?: string): void
  leaveOpen(field: string, candidates: readonly unknown[], at: At, text?: string): void
  refuse(fault: ReadFault): void
  finish(row: number, at: At): ReadRow
}

/** The most candidates of a field. A person chooses among them, or gives another value. */
const mostCandidates = 20

/** A reader quotes this many characters of a text that it does not understand. */
const longestQuote = 200

export function createDraft(): Draft {
  const values = new Map<string, ReadValue>()
  const open = new Map<string, Undecided>()
  const faults: ReadFault[] = []

  const leaveOpen: Draft['leaveOpen'] = (field, candidates, at, text) => {
    const different = [...(open.get(field)?.candidates ?? [])]
    const add = (value: unknown) => {
      if (different.length < mostCandidates && !different.some((one) => sameValue(one, value)))
        different.push(value)
    }
    if (values.has(field)) add(values.get(field)!.value)
    values.delete(field)
    candidates.forEach(add)
    const quote = text ?? open.get(field)?.text
    const first = open.get(field)?.at ?? at
    open.set(field, {
      field,
      candidates: different,
      at: first,
      ...(quote !== undefined && { text: quote.slice(0, longestQuote).toWellFormed() }),
    })
  }

  return {
    propose(field, value, at, conversion) {
      const before = values.get(field)
      if (open.has(field) || (before && !sameValue(before.value, value)))
        leaveOpen(field, [value], before?.at ?? at)
      else if (!before)
        values.set(field, { field, value, at, ...(conversion !== undefined && { conversion }) })
    },
    leaveOpen,
    refuse: (fault) => void faults.push(fault),
    finish: (row, at) => ({
      row,
      at,
      values: [...values.values()],
      undecided: [...open.values()],
      faults,
    }),
  }
}

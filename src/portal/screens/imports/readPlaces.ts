import type { ImportRow } from '../../api/generated.ts'
import { keyOf } from './decisions.ts'

/** Where on the pages of a file its values were read. */

/** The value that a person points at, in the list of values or on a page. */
export interface Pointing {
  /** The key of its row and field. */
  readonly pointed: string | undefined
  readonly onPoint: (key: string) => void
}

export interface ReadPlace {
  readonly key: string
  readonly field: string
  /** Several ones if a person has to choose. */
  readonly values: readonly unknown[]
  readonly page: number
  /** Left, bottom, right and top in points of the page. */
  readonly box: readonly number[]
}

/** Return the places of values that were read, and of those that a person has to choose from. */
export function readPlacesOf(rows: readonly ImportRow[]): readonly ReadPlace[] {
  return rows.flatMap(({ row, values, undecided }) => {
    const wanted = values.map(({ field, at, value }) => ({ field, at, values: [value] }))
    const open = undecided.map(({ field, at, candidates }) => ({ field, at, values: candidates }))
    return [...wanted, ...open].flatMap(({ field, at, values }) =>
      'box' in at && values.length > 0
        ? [{ key: keyOf(row, field), field, values, page: at.page, box: at.box }]
        : [],
    )
  })
}

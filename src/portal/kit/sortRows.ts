/** The value of a row by which a table is sorted. */
export type SortValue = string | number | null

/** `heat`, or `-heat` for the largest first: the form in an address. */
interface Sorting {
  readonly name: string
  readonly isDescending: boolean
}

export function sortingIn(text: string): Sorting {
  return { name: text.replace(/^-/, ''), isDescending: text.startsWith('-') }
}

/** Return the sorting after a press on the title of a column: smallest first, largest first, and the list's own order. */
export function nextSorting({ name, isDescending }: Sorting, pressed: string): string {
  if (name !== pressed) return pressed
  return isDescending ? '' : `-${pressed}`
}

/** Return the rows in order, those without a value last. Rows with the same value keep their order. */
export function sortRows<Row>(
  rows: readonly Row[],
  by: (row: Row) => SortValue,
  isDescending: boolean,
): readonly Row[] {
  const direction = isDescending ? -1 : 1
  return rows
    .map((row) => ({ row, value: by(row) }))
    .toSorted(({ value: one }, { value: other }) => {
      if (one === null || other === null) return Number(one === null) - Number(other === null)
      return direction * compare(one, other)
    })
    .map(({ row }) => row)
}

const collator = new Intl.Collator(undefined, { numeric: true })

function compare(one: string | number, other: string | number): number {
  return typeof one === 'number' && typeof other === 'number'
    ? one - other
    : collator.compare(String(one), String(other))
}

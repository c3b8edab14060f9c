import type { ReactNode } from 'react'
import type { SortValue } from './sortRows.ts'

/** A column of a table. */
export interface Column<Row> {
  readonly title: string
  /** Names the column in addresses and in the choice of columns. A column without one can be neither sorted nor hidden. */
  readonly name?: string
  readonly sortBy?: (row: Row) => SortValue
  /** Shown below the column, once every row is read. */
  readonly total?: (rows: readonly Row[]) => ReactNode
  readonly cell: (row: Row) => ReactNode
  /** Numbers are set to the right. */
  readonly isNumber?: boolean
  /** Names, numbers and sentences. A narrow window does not cut their words. */
  readonly isText?: boolean
  /** The least width of the window that shows the column. */
  readonly from?: 'tablet' | 'desktop'
  /** The title is for screen readers alone. */
  readonly isUntitled?: boolean
}

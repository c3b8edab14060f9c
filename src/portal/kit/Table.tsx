import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, memo, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import type { ListState } from '../api/queries.ts'
import type { Column } from './column.ts'
import { More } from './More.tsx'
import { Failure, Loading } from './Notice.tsx'
import { ColumnChoice, useHiddenColumns, useSorted } from './tableView.tsx'

/** The one list of the portal: a native table with its states. Long lists draw only the rows in view. */

/** Return rows that are already loaded as a list. */
export function listOf<Row>(rows: readonly Row[]): ListState<Row> {
  const none = () => {}
  return {
    rows,
    error: null,
    hasMore: false,
    isReadingMore: false,
    isReadHere: true,
    readMore: none,
    readAgain: none,
  }
}

interface TableProps<Row> {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly list: ListState<Row>
  /** The person may choose the columns; this browser keeps the choice under this name. */
  readonly name?: string
  readonly rowKey: (row: Row) => string
  readonly empty: ReactNode
  /** The group that a row belongs to. Rows of a group follow each other, below a heading. */
  readonly groupOf?: (row: Row) => string
  readonly groupText?: (row: Row) => ReactNode
}

export function Table<Row>(props: TableProps<Row>) {
  const { label, columns: all, list, name, rowKey, empty, groupOf, groupText } = props
  const { error, hasMore, readMore, isReadingMore, readAgain } = list
  const { hidden, hide } = useHiddenColumns(name)
  const { rows, isSorted, sortOf, press } = useSorted(list, all)
  const columns = all.filter((column) => column.name === undefined || !hidden.includes(column.name))
  if (!rows) return error ? <Failure error={error} onRetry={readAgain} /> : <Loading />
  if (rows.length === 0) return empty
  const lines = linesOf(rows, isSorted ? undefined : groupOf)
  return (
    <>
      {error && <Failure error={error} onRetry={readAgain} />}
      {name !== undefined && <ColumnChoice columns={all} hidden={hidden} onHide={hide} />}
      <div className="tableFrame">
        <table aria-label={label} aria-rowcount={hasMore ? -1 : lines.length + 1} onKeyDown={moveByArrow}>
          <thead>
            <tr aria-rowindex={1}>
              {columns.map((column) => (
                <Heading key={column.title} {...{ column, press }} sort={sortOf(column)} />
              ))}
            </tr>
          </thead>
          {rows.length > drawAllUpTo ? (
            <VirtualRows {...{ columns, lines, rowKey, groupText }} />
          ) : (
            <tbody>
              {lines.map((line, index) => (
                <TableRow key={keyOf(line, rowKey)} {...{ columns, ...line, index, groupText }} />
              ))}
            </tbody>
          )}
          {!hasMore && columns.some(({ total }) => total) && (
            <tfoot>
              <tr>
                {columns.map((column) => (
                  <td key={column.title} className={classOf(column)}>
                    {column.total?.(rows)}
                  </td>
                ))}
              </tr>
            </tfoot>
          )}
        </table>
      </div>
      {hasMore && <More {...{ readMore, isReadingMore }} />}
    </>
  )
}

const steps: Readonly<Record<string, 'nextElementSibling' | 'previousElementSibling'>> = {
  ArrowDown: 'nextElementSibling',
  ArrowUp: 'previousElementSibling',
}

/** Move the focus to the same link or button of the next row or of the one before. */
function moveByArrow(event: KeyboardEvent<HTMLElement>): void {
  const step = steps[event.key]
  const from = event.target as HTMLElement
  const cell = from.closest('td')
  if (!step || !cell || from.matches('select, textarea, input:not([type=checkbox])')) return
  let row = cell.closest('tr')?.[step]
  while (row instanceof HTMLTableRowElement) {
    const next = row.cells[cell.cellIndex]?.querySelector<HTMLElement>('a, button, input')
    if (next) {
      event.preventDefault()
      next.focus()
      return
    }
    row = row[step]
  }
}

interface HeadingProps<Row> {
  readonly column: Column<Row>
  readonly sort: 'none' | 'ascending' | 'descending'
  readonly press: (name: string) => void
}

function Heading<Row>({ column, sort, press }: HeadingProps<Row>) {
  const { title, name, sortBy, isUntitled } = column
  if (name === undefined || !sortBy)
    return (
      <th scope="col" className={classOf(column)}>
        {isUntitled ? <span className="visuallyHidden">{title}</span> : title}
      </th>
    )
  return (
    <th scope="col" className={classOf(column)} aria-sort={sort}>
      <button type="button" className="sortButton" onClick={() => press(name)}>
        {title}
        <span aria-hidden="true">{sort === 'none' ? '' : sort === 'ascending' ? ' ↑' : ' ↓'}</span>
      </button>
    </th>
  )
}

const drawAllUpTo = 300
const rowHeight = 41

/** A row, or the heading above the first row of a group. */
interface Line<Row> {
  readonly row: Row
  readonly isHeading: boolean
}

function linesOf<Row>(rows: readonly Row[], groupOf?: (row: Row) => string): readonly Line<Row>[] {
  return rows.flatMap((row, n) => {
    const isFirst = groupOf && (n === 0 || groupOf(row) !== groupOf(rows[n - 1]!))
    return [...(isFirst ? [{ row, isHeading: true }] : []), { row, isHeading: false }]
  })
}

function keyOf<Row>({ row, isHeading }: Line<Row>, rowKey: (row: Row) => string): string {
  return isHeading ? `above ${rowKey(row)}` : rowKey(row)
}

interface RowsProps<Row> extends Pick<TableProps<Row>, 'columns' | 'rowKey' | 'groupText'> {
  readonly lines: readonly Line<Row>[]
}

function VirtualRows<Row>({ columns, lines, rowKey, groupText }: RowsProps<Row>) {
  const body = useRef<HTMLTableSectionElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => setTop((body.current?.getBoundingClientRect().top ?? 0) + scrollY), [])
  const virtualizer = useWindowVirtualizer({
    count: lines.length,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollMargin: top,
  })
  const items = virtualizer.getVirtualItems()
  const before = (items[0]?.start ?? top) - top
  const after = virtualizer.getTotalSize() - ((items.at(-1)?.end ?? top) - top)
  return (
    <tbody ref={body}>
      {before > 0 && <Gap height={before} columns={columns.length} />}
      {items.map(({ index }) => {
        const line = lines[index]!
        return (
          <TableRow
            key={keyOf(line, rowKey)}
            {...{ columns, ...line, index, groupText }}
            measure={virtualizer.measureElement}
          />
        )
      })}
      {after > 0 && <Gap height={after} columns={columns.length} />}
    </tbody>
  )
}

function Gap({ height, columns }: { readonly height: number; readonly columns: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row takes no focus
    <tr aria-hidden="true" className="gap">
      <td colSpan={columns} style={{ height }} />
    </tr>
  )
}

interface RowProps<Row> extends Line<Row>, Pick<TableProps<Row>, 'columns' | 'groupText'> {
  readonly index: number
  /** Takes the row to measure it: narrow windows and long texts make rows higher. */
  readonly measure?: (row: HTMLTableRowElement | null) => void
}

/** A list that scrolls draws only the rows that come into view, and leaves the others as they are. */
const TableRow = memo(function TableRow<Row>(props: RowProps<Row>) {
  const { columns, row, isHeading, groupText, index, measure } = props
  if (isHeading)
    return (
      <tr aria-rowindex={index + 2} data-index={index} ref={measure} className="group">
        <th scope="rowgroup" colSpan={columns.length}>
          {groupText?.(row)}
        </th>
      </tr>
    )
  return (
    <tr aria-rowindex={index + 2} data-index={index} ref={measure}>
      {columns.map((column) => (
        <td key={column.title} className={classOf(column)}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  )
}) as <Row>(props: RowProps<Row>) => ReactNode

function classOf<Row>({ isNumber, isText, from, isUntitled }: Column<Row>): string {
  return [isNumber && 'number', isText && 'text', from && `from-${from}`, isUntitled && 'last']
    .filter(Boolean)
    .join(' ')
}

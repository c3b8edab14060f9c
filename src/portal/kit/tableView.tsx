import { useState } from 'react'
import { DialogTrigger, Popover } from 'react-aria-components'
import { type ListState, useWhole } from '../api/queries.ts'
import { useTexts } from '../texts/texts.ts'
import { Button } from './Button.tsx'
import type { Column } from './column.ts'
import { Choices } from './Form.tsx'
import { useFilters } from './filters.tsx'
import { nextSorting, sortingIn, sortRows } from './sortRows.ts'

/** How a person looks at a table: sorted by a column, with the columns of their choice. */

/** The address holds the sorting. To sort a list, every page of it is read. */
export function useSorted<Row>(list: ListState<Row>, columns: readonly Column<Row>[]) {
  const filters = useFilters()
  const sorting = sortingIn(filters.value('sort'))
  const by = columns.find(({ name }) => name === sorting.name)?.sortBy
  const { rows } = useWhole(list, by ? Number.POSITIVE_INFINITY : 0)
  return {
    rows: rows && by ? sortRows(rows, by, sorting.isDescending) : rows,
    isSorted: by !== undefined,
    sortOf: ({ name }: Column<Row>) => {
      if (name !== sorting.name) return 'none'
      return sorting.isDescending ? 'descending' : 'ascending'
    },
    press: (name: string) => filters.set('sort', nextSorting(sorting, name)),
  }
}

const storedAs = (table: string) => `heatmark-hidden-columns-${table}`

/** Columns that a person does not want to see in a table; this browser keeps them. */
export function useHiddenColumns(table: string | undefined) {
  const key = storedAs(table ?? '')
  const [hidden, setHidden] = useState<readonly string[]>(
    () => localStorage.getItem(key)?.split(' ').filter(Boolean) ?? [],
  )
  return {
    hidden: table === undefined ? [] : hidden,
    hide: (names: readonly string[]) => {
      setHidden(names)
      localStorage.setItem(key, names.join(' '))
    },
  }
}

interface ColumnChoiceProps<Row> {
  readonly columns: readonly Column<Row>[]
  readonly hidden: readonly string[]
  readonly onHide: (names: readonly string[]) => void
}

export function ColumnChoice<Row>({ columns, hidden, onHide }: ColumnChoiceProps<Row>) {
  const { t } = useTexts()
  const options = columns.flatMap(({ name, title }) =>
    name === undefined ? [] : { value: name, text: title },
  )
  return (
    <div className="columnChoice">
      <DialogTrigger>
        <Button kind="quiet">{t('columns')}</Button>
        <Popover className="popover columnPopover" placement="bottom end" aria-label={t('columns')}>
          <Choices
            label={t('columns')}
            chosen={options.map(({ value }) => value).filter((value) => !hidden.includes(value))}
            onChange={(shown) => {
              // One column stays that every window shows.
              if (columns.some(({ name, from }) => name !== undefined && !from && shown.includes(name)))
                onHide(options.map(({ value }) => value).filter((value) => !shown.includes(value)))
            }}
            options={options}
          />
        </Popover>
      </DialogTrigger>
    </div>
  )
}

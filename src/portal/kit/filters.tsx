import { useEffect, useState } from 'react'
import { useSearchParams } from 'wouter'
import { useTexts } from '../texts/texts.ts'
import { Button } from './Button.tsx'
import { Select, TextField } from './Form.tsx'

/** Filters of a list. The address holds them, so that links, reloads and the back button keep them. */

export interface Filters {
  value(name: string): string
  set(name: string, value: string): void
  /** Set several filters, and keep the others. */
  setAll(values: Readonly<Record<string, string>>): void
  readonly isAny: boolean
  clear(): void
}

export function useFilters(): Filters {
  const [search, setSearch] = useSearchParams()
  const setAll = (values: Readonly<Record<string, string>>) =>
    setSearch((old) => withParameters(old, values), { replace: true })
  return {
    value: (name) => search.get(name) ?? '',
    set: (name, value) => setAll({ [name]: value }),
    setAll,
    // The time that the portal shows is not a filter, and neither is the order of a table.
    isAny: [...search.keys()].some((name) => name !== 'asOf' && name !== 'sort'),
    clear: () => setSearch({}),
  }
}

/** Return the parameters of an address with these values, and without those whose value is empty. */
export function withParameters(
  search: URLSearchParams,
  values: Readonly<Record<string, string>>,
): URLSearchParams {
  const next = new URLSearchParams(search)
  for (const [name, value] of Object.entries(values))
    if (value === '') next.delete(name)
    else next.set(name, value)
  return next
}

interface FilterProps {
  readonly filters: Filters
  readonly name: string
  readonly label: string
}

/** Milliseconds without a key after which a typed filter takes effect. */
const pauseMs = 300

/** A text that filters as one types, or as a scanner does. */
export function TextFilter({
  filters,
  name,
  label,
  placeholder,
}: FilterProps & { readonly placeholder?: string }) {
  const inAddress = filters.value(name)
  const [typed, setTyped] = useState(inAddress)
  const { set } = filters
  useEffect(() => setTyped(inAddress), [inAddress])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing starts the pause
  useEffect(() => {
    if (typed === inAddress) return
    const timer = setTimeout(() => set(name, typed.trim()), pauseMs)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <div className={placeholder === undefined ? 'filter' : 'filter wide'}>
      <TextField label={label} value={typed} onChange={setTyped} type="search" placeholder={placeholder} />
    </div>
  )
}

interface ChoiceFilterProps extends FilterProps {
  readonly options: readonly { readonly value: string; readonly text: string }[]
}

export function ChoiceFilter({ filters, name, label, options }: ChoiceFilterProps) {
  const { t } = useTexts()
  return (
    <div className="filter">
      <Select
        label={label}
        value={filters.value(name)}
        onChange={(value) => filters.set(name, value)}
        options={[{ value: '', text: t('anyValue') }, ...options]}
      />
    </div>
  )
}

/** A day, such as 2026-11-23. */
export function DayFilter({ filters, name, label }: FilterProps) {
  return (
    <div className="filter">
      <TextField
        label={label}
        value={filters.value(name)}
        onChange={(value) => filters.set(name, value)}
        type="date"
      />
    </div>
  )
}

export function ClearFilters({ filters }: { readonly filters: Filters }) {
  const { t } = useTexts()
  return filters.isAny ? (
    <Button kind="quiet" onPress={filters.clear}>
      {t('clearFilters')}
    </Button>
  ) : null
}

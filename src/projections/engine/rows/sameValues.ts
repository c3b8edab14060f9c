import { type Column, ownColumns, type Table } from '../projection.ts'

type Values = Readonly<Record<string, unknown>>

/**
 * Return true if two rows of a table have the same values. PostgreSQL writes some values in another way than events do,
 * so the comparison does not depend on the origin of a row.
 */
export function sameValues(table: Table): (one: Values, other: Values) => boolean {
  const columns = Object.entries(ownColumns(table))
  return (one, other) =>
    columns.every(([name, { type }]) => one[name] === other[name] || isSame(type, one[name], other[name]))
}

function isSame(type: Column['type'], one: unknown, other: unknown): boolean {
  if (one === null || other === null) return false
  if (type === 'json') return JSON.stringify(one) === JSON.stringify(other)
  if (type === 'timestamptz') return Date.parse(String(one)) === Date.parse(String(other))
  return type === 'uuid' && String(one).toLowerCase() === String(other).toLowerCase()
}

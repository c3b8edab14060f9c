import { ownColumns, pastName } from '../projection.ts'
import { forksOf } from '../rows/forks.ts'
import type { ReadModels } from '../schema/readModels.ts'
import { columnNames } from '../schema/sql.ts'
import type { Query, StreamReading } from './reader.ts'

/**
 * The same snapshot, with its tables as they were at a position, which the snapshot must have reached. Every table that
 * is read must be versioned.
 */
export function asOf(
  reading: StreamReading,
  { find }: Pick<ReadModels, 'find'>,
  position: number,
): StreamReading {
  const forks = forksOf(position).join(', ')
  // The position is part of the text, so that PostgreSQL knows how few former rows are wanted.
  const asOnce = (query: Query): Query => ({ ...query, isOnce: true })
  return {
    ...reading,
    isEarlier: true,
    table(projection, name) {
      const table = find(projection.name)?.tables[name]
      if (!table?.versioned) throw new Error(`${projection.name}.${name} keeps no former rows`)
      const columns = columnNames(Object.keys(ownColumns(table)))
      return `(SELECT ${columns} FROM ${reading.table(projection, name)} WHERE from_position <= ${position}
        UNION ALL
        SELECT ${columns} FROM ${reading.table(projection, pastName(name))}
        WHERE fork IN (${forks}) AND from_position <= ${position} AND to_position > ${position})`
    },
    query: (query) => reading.query(asOnce(query)),
    portions: (query) => reading.portions(asOnce(query)),
  }
}

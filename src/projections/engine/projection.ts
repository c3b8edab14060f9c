import { domainEvents } from '../../domain/aggregates.ts'
import type { DomainEvent, Recorded } from '../../domain/kernel/event.ts'
import { type EventTypes, newestVersion } from '../../domain/kernel/versions.ts'

/**
 * A projection is a set of tables, with a pure, synchronous handler over their rows for each event type.
 * It does not know where the rows are stored: in PostgreSQL, in memory, or in tables being rebuilt.
 */

export type ColumnType =
  | 'uuid'
  | 'text'
  | 'boolean'
  | 'integer'
  | 'bigint'
  | 'double'
  | 'timestamptz'
  | 'date'
  | 'json'

export interface Column<Value = unknown> {
  readonly type: ColumnType
  readonly nullable: boolean
  /** Holds only the type, and is never set. */
  readonly value?: Value
}

export const uuid = column<string>('uuid')
export const text = column<string>('text')
/** One of some texts. */
export function textOf<Value extends string>(): Column<Value> {
  return column<Value>('text')
}
export const boolean = column<boolean>('boolean')
export const integer = column<number>('integer')
/** A position or a revision: a whole number up to 2^53. */
export const bigint = column<number>('bigint')
export const double = column<number>('double')
/** RFC 3339 in UTC with milliseconds, as events have it. */
export const timestamptz = column<string>('timestamptz')
export const date = column<string>('date')
/** Stored as it was written, with its members in the same order. */
export function json<Value>(): Column<Value> {
  return column<Value>('json')
}
export function nullable<Value>(of: Column<Value>): Column<Value | null> {
  return { type: of.type, nullable: true }
}

export type Columns = Readonly<Record<string, Column>>
export type RowOf<C extends Columns> = {
  readonly [Name in keyof C]: C[Name] extends Column<infer Value> ? Value : never
}

export interface Table<C extends Columns = Columns> {
  readonly columns: C
  /** The primary key. Column names are camelCase here and snake_case in SQL. */
  readonly key: readonly string[]
  /** Further indexes that the queries need; an entry is a list of columns, or SQL in snake_case. */
  readonly indexes?: readonly (readonly string[] | string)[]
  /** Handlers only add rows and look nothing up, so `touches` need not declare them. */
  readonly appendOnly?: boolean
  /**
   * Former rows are kept, so that a read can show the table as of any position. `defineProjection` adds the column
   * `fromPosition`, and a table for the former rows. See docs/decisions/as-of.md.
   */
  readonly versioned?: boolean
  /**
   * Rows older than this, by the time in that column, are deleted later. Queries must not rely on such rows. Index the
   * column.
   */
  readonly retention?: { readonly column: string; readonly milliseconds: number }
}

/** Type a table. Every name of a column in it must be one of its columns. */
export function table<C extends Columns>(
  definition: Omit<Table<C>, 'key' | 'indexes' | 'retention'> & {
    key: readonly (keyof C & string)[]
    indexes?: readonly (readonly (keyof C & string)[] | string)[]
    retention?: { column: keyof C & string; milliseconds: number }
  },
): Table<C> {
  return definition
}

export type Tables = Readonly<Record<string, Table>>
/** The values of a table's key columns, in the order of `key`. */
export type Key = readonly (string | number)[]
type Touched<T extends Tables> = { readonly [Name in keyof T]?: readonly Key[] }

/** The rows of one table that a handler has declared. It sees no others. */
export interface TableRows<Row> {
  get(key: Key): Row | undefined
  /** Add the row, or replace the one under its key. */
  put(row: Row): void
  /** Change columns of a row. Do nothing if there is no such row, because its creation was never seen. */
  update(key: Key, change: Partial<Row> | ((row: Row) => Partial<Row>)): void
  delete(key: Key): void
}

export type Rows<T extends Tables> = {
  readonly [Name in keyof T]: T[Name] extends Table<infer C> ? TableRows<RowOf<C>> : never
}

/** The handler of a type sees its events in the newest version. */
export interface Handler<T extends Tables, Event extends DomainEvent> {
  /** Return the keys of the rows that `apply` reads or changes. They follow from the event alone. */
  touches(event: Recorded<Event>): Touched<T>
  apply(rows: Rows<T>, event: Recorded<Event>): void
}

export interface Projection<T extends Tables = Tables> {
  readonly name: string
  /** Raise the version whenever the same events fold to other rows. */
  readonly version: number
  /** The version of code outside of the handlers that computes columns, such as a parser. */
  readonly parserVersion?: number
  readonly tables: T
  readonly handlers: Readonly<Record<string, Handler<T, DomainEvent>>>
  /**
   * Handles every event that has no handler of its own, with its data as they are stored: also events of an unknown
   * type, of a version that this release does not know, or not JSON.
   */
  readonly anyEvent?: Handler<T, DomainEvent>
  /** Neither readiness nor commands wait for it. No list shows its rows, so notices do not name its changes. */
  readonly isBackground?: boolean
  /**
   * The event types that an operator may skip when the projection has stopped at one; by default any. A projection
   * that decides on access names only types that grant something.
   */
  readonly skippable?: readonly string[]
  /**
   * Its changes are on the disk before any node hears of them, so a crash of PostgreSQL cannot undo them. Other
   * projections may lose their last changes and fold them again.
   */
  readonly isDurable?: boolean
  /** The versions of the types in `handlers`: for a type that is not among them, 1 is the only one. */
  readonly events?: EventTypes
}

/** The handler of an event, if the projection has one. */
export function handlerOf(
  { handlers, anyEvent }: Projection,
  { type, isJson }: Pick<Recorded, 'type' | 'isJson'>,
): Handler<Tables, DomainEvent> | undefined {
  return isJson !== false && Object.hasOwn(handlers, type) ? handlers[type] : anyEvent
}

/** The newest version of an event type that the projection can fold: any, where the type has no handler of its own. */
export function newestFolded({ handlers, events }: Projection, type: string): number {
  return Object.hasOwn(handlers, type)
    ? ((events && newestVersion(events, type)) ?? 1)
    : Number.POSITIVE_INFINITY
}

/**
 * Types a projection: `defineProjection<Events>()({ name, version, tables, handlers })`, with a handler for
 * as many of the event types as it wants.
 */
export const defineProjection =
  <Event extends DomainEvent>() =>
  <T extends Tables>(definition: {
    name: string
    version: number
    parserVersion?: number
    tables: T
    handlers: { readonly [Type in Event['type']]?: Handler<T, Extract<Event, { type: Type }>> }
    anyEvent?: Handler<T, DomainEvent>
    isBackground?: boolean
    skippable?: readonly Event['type'][]
    isDurable?: boolean
  }): Projection<T> =>
    // One fold runs projections of every event type, so from here on a handler takes any event.
    ({
      ...definition,
      tables: storedTables(definition.tables),
      events: domainEvents,
    }) as unknown as Projection<T>

/** Return this handler for each of these event types. */
export function handleAll<Type extends string, Of>(
  types: Readonly<Record<Type, unknown>>,
  handler: Of,
): Readonly<Record<Type, Of>> {
  return Object.fromEntries(Object.keys(types).map((type) => [type, handler])) as never
}

/** The name of the table that holds the former rows of a versioned table. */
export function pastName(table: string): string {
  return `${table}Past`
}

/** The columns of a table that handlers write: all of them, without the `fromPosition` of a versioned one. */
export function ownColumns({ columns, versioned }: Table): Columns {
  if (!versioned) return columns
  const { fromPosition: _, ...own } = columns
  return own
}

/**
 * Add to each versioned table the position of the event that a row is from, and a table of the rows that later events
 * have replaced or deleted. There a row counts from `fromPosition` on, and no more at `toPosition`. The column `fork`
 * finds the rows of a company that counted at one position; see rows/forks.ts.
 */
function storedTables(tables: Tables): Tables {
  return Object.fromEntries(
    Object.entries(tables).flatMap(([name, table]): [string, Table][] => {
      if (!table.versioned) return [[name, table]]
      const columns = { ...table.columns, fromPosition: bigint }
      const past = {
        columns: { ...columns, toPosition: bigint, fork: bigint },
        key: [...table.key, 'toPosition'],
        indexes: [[table.key[0]!, 'fork', 'toPosition', 'fromPosition']],
        appendOnly: true,
      }
      return [
        [name, { ...table, columns }],
        [pastName(name), past],
      ]
    }),
  )
}

function column<Value>(type: ColumnType): Column<Value> {
  return { type, nullable: false }
}

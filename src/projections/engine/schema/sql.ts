import { createHash } from 'node:crypto'
import { quoteIdentifier } from '../../../stores/postgres/postgres.ts'
import { type Column, newestFolded, type Projection, type Table } from '../projection.ts'

/** Projections as SQL: names, types, and the statements of a table. */

/** `companyId` as `company_id`. */
export const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const sqlTypes: Record<Column['type'], string> = {
  uuid: 'uuid',
  text: 'text',
  boolean: 'boolean',
  integer: 'integer',
  bigint: 'bigint',
  double: 'double precision',
  timestamptz: 'timestamptz',
  date: 'date',
  json: 'json',
}

/** Raise it when the engine makes other rows of the same changes. */
const engine = 1

/**
 * A hash of all that decides which rows the same events fold to, and how they are kept. A handler's code is part of
 * it by the version of its projection, and a parser by its own version.
 */
export function projectionHash(projection: Projection): string {
  const { name, version, parserVersion, tables, handlers, anyEvent } = projection
  const events = Object.keys(handlers)
    .sort()
    .map((type) => [type, newestFolded(projection, type)])
  return sha256({ engine, name, version, parserVersion, tables, events, anyEvent: anyEvent !== undefined })
}

/** The schema of these projections' rows over the events of that store. */
export function schemaName(storeId: string, projections: readonly Projection[]): string {
  return `heatmark_${storeId.replaceAll('-', '').toLowerCase()}_${hashOf(projections)}`
}

/** The id, without its hyphens, of the store that a schema's rows are folded from. */
export function storeIdIn(schema: string): string {
  return schema.split('_')[1]!
}

/** Return the common beginning of the schema names of all releases over the same store. */
export function storePrefixOf(schema: string): string {
  return schema.slice(0, schema.lastIndexOf('_') + 1)
}

/** A table of one generation, as its schema names it: a rebuild fills the tables of the next beside it. */
export function generationName(table: string, generation: number): string {
  return `${snakeCase(table)}_${generation}`
}

/** The same, qualified and quoted. */
export function tableName(schema: string, table: string, generation: number): string {
  return `${quoteIdentifier(schema)}.${quoteIdentifier(generationName(table, generation))}`
}

/** A table or view of the engine in a schema, qualified and quoted. */
export function engineTable(schema: string, name: 'projection' | 'state' | 'checkpoint'): string {
  return `${quoteIdentifier(schema)}.${name}`
}

/** Columns as SQL lists them. */
export function columnNames(columns: readonly string[]): string {
  return columns.map((name) => quoteIdentifier(snakeCase(name))).join(', ')
}

export function createTable(sqlName: string, { columns }: Table): string {
  return `CREATE TABLE ${sqlName} (${Object.entries(columns).map(columnSql).join(', ')})`
}

export function addPrimaryKey(sqlName: string, { key }: Table): string {
  return `ALTER TABLE ${sqlName} ADD PRIMARY KEY (${columnNames(key)})`
}

export function createIndexes(sqlName: string, { indexes = [] }: Table): string[] {
  return indexes.map(
    (index) => `CREATE INDEX ON ${sqlName} ${typeof index === 'string' ? index : `(${columnNames(index)})`}`,
  )
}

/**
 * A tenth of PostgreSQL's usual sample shows how large a table is and which index tells rows apart, which is all
 * that the queries want to know. Autovacuum looks more closely when a tenth of the rows have changed.
 */
const sample = 10

/**
 * Tells the planner about a table that was filled at once; to be sent without values, in one message.
 * @param option such as `(SKIP_LOCKED)`
 */
export function analyze(sqlName: string, option = ''): string {
  return `SET LOCAL default_statistics_target = ${sample}; ANALYZE ${option} ${sqlName}`
}

/**
 * Settings of a connection that runs `TableStatements`. They find each row by its key, so one plan by the key's index is
 * right for any number of keys and rows. PostgreSQL would plan each execution again, which takes longer than the
 * execution. It would also keep a plan that reads or sorts a whole table while the table is small.
 */
export const planByKeyOnce = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_sort: 'off',
  enable_incremental_sort: 'off',
}

interface TableStatements {
  /** Column names, in the order of the values of `upsert` and `insert`. */
  readonly columns: readonly string[]
  /** Statements for one row, whose values they take. */
  readonly one: RowStatements
  /** Statements for any number of rows. They take one array for each column. */
  readonly many: RowStatements
  readonly copy: string
}

export interface RowStatements {
  /** Return rows by key. The values are those of the key columns. */
  readonly select: string
  /** Add rows or replace them. */
  readonly upsert: string
  /** Add rows that are not there. */
  readonly insert: string
  /** Delete rows by key. */
  readonly remove: string
}

export function statementsFor(sqlName: string, table: Table): TableStatements {
  const columns = Object.keys(table.columns)
  return {
    columns,
    one: rowStatements(sqlName, table, (names) => `VALUES (${parametersSql(table, names, '')})`),
    // PostgreSQL collects each array's elements by themselves, which takes 0.6 ms for 33 columns even of one row.
    many: rowStatements(
      sqlName,
      table,
      (names) => `SELECT * FROM unnest(${parametersSql(table, names, '[]')})`,
    ),
    copy: `COPY ${sqlName} (${columnNames(columns)}) FROM STDIN`,
  }
}

/** `rowsOf` returns SQL of the rows that the parameters give, with these columns. */
function rowStatements(
  sqlName: string,
  table: Table,
  rowsOf: (columns: readonly string[]) => string,
): RowStatements {
  const columns = Object.keys(table.columns)
  const others = columns.filter((name) => !table.key.includes(name))
  const assignments = others.map((name) => `${columnNames([name])} = EXCLUDED.${columnNames([name])}`)
  const insert = `INSERT INTO ${sqlName} (${columnNames(columns)}) ${rowsOf(columns)}`
  const byKey = (selected: string) => selectByKey(sqlName, table, selected, rowsOf(table.key))
  return {
    select: byKey(
      columns.map((name) => `stored.${columnNames([name])} AS ${quoteIdentifier(name)}`).join(', '),
    ),
    insert,
    upsert: `${insert} ON CONFLICT (${columnNames(table.key)}) DO ${assignments.length > 0 ? `UPDATE SET ${assignments.join(', ')}` : 'NOTHING'}`,
    remove: `DELETE FROM ${sqlName} WHERE ctid = ANY (ARRAY(${byKey('stored.place')}))`,
  }
}

/**
 * Select by key, through the key's index: no other index has the order in which the first row from each key on is
 * taken. If the columns were compared for equality, PostgreSQL might use any index that begins with some of them. On an
 * empty table it takes both for equally good, and later reads all the rows that share a word for each single row.
 */
function selectByKey(sqlName: string, { key }: Table, selected: string, keys: string): string {
  const columns = columnNames(key)
  const wanted = `ROW(${key.map((name) => `wanted.${columnNames([name])}`).join(', ')})`
  const first = `SELECT *, ctid AS place FROM ${sqlName} WHERE ROW(${columns}) >= ${wanted} ORDER BY ${columns} LIMIT 1`
  const isIt = `ROW(${key.map((name) => `stored.${columnNames([name])}`).join(', ')}) = ${wanted}`
  return `SELECT ${selected} FROM (${keys}) AS wanted (${columns}) CROSS JOIN LATERAL (${first}) AS stored WHERE ${isIt}`
}

function sha256(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex')
}

/** Another hash of any of them is another schema. */
function hashOf(projections: readonly Projection[]): string {
  return sha256(projections.map(projectionHash).sort()).slice(0, 12)
}

/** Text is compared by code point, so order and uniqueness are the same everywhere. */
function columnSql([name, { type, nullable }]: [string, Column]): string {
  return [
    quoteIdentifier(snakeCase(name)),
    sqlTypes[type],
    type === 'text' && 'COLLATE "C"',
    !nullable && 'NOT NULL',
  ]
    .filter(Boolean)
    .join(' ')
}

/** A typed parameter for each column. */
function parametersSql(table: Table, columns: readonly string[], dimension: '' | '[]'): string {
  return columns
    .map((name, index) => `$${index + 1}::${sqlTypes[table.columns[name]!.type]}${dimension}`)
    .join(', ')
}

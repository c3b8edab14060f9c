import { rawSql, type SQL } from '@event-driven-io/dumbo'
import {
  getPostgreSQLEventStore,
  postgreSQLRawSQLProjection,
  rebuildPostgreSQLProjections,
} from '@event-driven-io/emmett-postgresql'
import pg from 'pg'
import { connectEventStore } from '../../src/eventStoreDb/connect.ts'
import { projections as ours } from '../../src/projections/all.ts'
import { addPrimaryKey, createIndexes, createTable, snakeCase } from '../../src/projections/schema/sql.ts'
import { readTask } from '../processes.ts'
import { production } from './emmett/production.ts'
import { certificates, orders } from './emmett/subjects.ts'
import { tags } from './emmett/tags.ts'

/**
 * Builds the same tables with Emmett's PostgreSQL projections, which run statements for each event, as its users
 * write them. Emmett's own consumer rebuilds them from its own event store, which is filled before the clock starts.
 */

export interface PeerTask {
  readonly eventStoreUrl: string
  readonly databaseUrl: string
  readonly events: number
  /** Messages that the consumer pulls at once. Emmett's default is 100. */
  readonly batchSize?: number
}

export interface PeerResult {
  readonly events: number
  readonly milliseconds: number
  /** Number of rows by table, to compare with ours. */
  readonly rows: Readonly<Record<string, number>>
}

const evolve: Readonly<Record<string, (event: never) => SQL | SQL[]>> = {
  tags,
  certificates,
  orders,
  production,
}

/** The tables that both build. */
export const compared = Object.keys(evolve)

const tables = ours
  .filter(({ name }) => compared.includes(name))
  .flatMap((projection) => Object.entries(projection.tables))
  .map(([name, table]) => ({ sqlName: `peer."${snakeCase(name)}"`, table }))

if (import.meta.main) {
  const task = await readTask<PeerTask>()
  const client = new pg.Client({ connectionString: task.databaseUrl })
  await client.connect()
  await createTables(client)
  const events = await load(task)
  const rebuilding = rebuildPostgreSQLProjections({
    connectionString: task.databaseUrl,
    ...(task.batchSize && { pulling: { batchSize: task.batchSize } }),
    projections: ours
      .filter(({ name }) => compared.includes(name))
      .map(({ name, handlers }) =>
        postgreSQLRawSQLProjection({
          name,
          canHandle: Object.keys(handlers),
          evolve: (event) => evolve[name]!(event as never),
          init: () => rawSql('SELECT 1'),
        }),
      ),
  })
  const began = performance.now()
  await rebuilding.start()
  const milliseconds = performance.now() - began
  const rows: Record<string, number> = {}
  for (const { sqlName } of tables)
    rows[sqlName] = Number((await client.query(`SELECT count(*) FROM ${sqlName}`)).rows[0].count)
  const result: PeerResult = { events, milliseconds, rows }
  process.stdout.write(JSON.stringify(result), () => process.exit())
}

async function createTables(client: pg.Client): Promise<void> {
  await client.query('DROP SCHEMA IF EXISTS peer CASCADE; CREATE SCHEMA peer')
  for (const { sqlName, table } of tables)
    await client.query(
      [createTable(sqlName, table), addPrimaryKey(sqlName, table), ...createIndexes(sqlName, table)].join(
        ';',
      ),
    )
}

/** Append the events in the order of the history, those of one command in one append. */
async function load({ eventStoreUrl, databaseUrl, events }: PeerTask): Promise<number> {
  const from = connectEventStore(eventStoreUrl)
  const to = getPostgreSQLEventStore(databaseUrl)
  let stream = ''
  let command: { type: string; data: object; metadata: object }[] = []
  let loaded = 0
  const append = async () => {
    if (command.length > 0) await to.appendToStream(stream, command as never)
    command = []
  }
  for await (const { streamName, type, data, metadata } of from.readAll(0)) {
    if (loaded === events) break
    if (streamName !== stream) await append()
    stream = streamName
    command.push({ type, data, metadata })
    loaded += 1
  }
  await append()
  await to.close()
  await from.close()
  return loaded
}

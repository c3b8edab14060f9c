import { randomUUID } from 'node:crypto'
import { rawSql } from '@event-driven-io/dumbo'
import {
  getPostgreSQLEventStore,
  postgreSQLRawSQLProjection,
  rebuildPostgreSQLProjections,
} from '@event-driven-io/emmett-postgresql'
import pg from 'pg'
import { connectEventStore } from '../../src/stores/eventStoreDb/connect.ts'
import { readTask } from '../processes.ts'
import { production } from './emmett/production.ts'
import { certificates, orders } from './emmett/subjects.ts'
import { peerTables } from './emmett/tables.ts'
import { tags } from './emmett/tags.ts'

/**
 * Builds tables with the same content with Emmett's PostgreSQL projections, which run statements for each event, as its
 * users write them. Emmett's own consumer rebuilds them from its own event store, which is filled before the clock starts.
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
  /** Number of rows by table. */
  readonly rows: Readonly<Record<string, number>>
}

/** The events that each projection of the peer handles. It shows less than ours, so it handles fewer. */
const peers = {
  tags: {
    evolve: tags,
    canHandle: [
      'TagCreated',
      'TagUpdated',
      'TagSoftDeleted',
      'TagRestored',
      'ManualAssignmentsReplaced',
      'RuleAssignmentsReplaced',
    ],
  },
  certificates: {
    evolve: certificates,
    canHandle: ['MillCertificateRegistered', 'MillCertificateCorrected'],
  },
  orders: { evolve: orders, canHandle: ['OrderRegistered', 'OrderCorrected'] },
  production: {
    evolve: production,
    canHandle: [
      'ProductionPlanCreated',
      'BarsPlanned',
      'BarOpened',
      'BarCertificateSet',
      'CutStatusChanged',
      'BarApproved',
      'BarApprovalWithdrawn',
      'BarStarted',
      'BarCompleted',
    ],
  },
} as const

/** The projections that both build. */
export const compared = Object.keys(peers)

if (import.meta.main) {
  const task = await readTask<PeerTask>()
  const connectionString = await createDatabase(task.databaseUrl)
  const client = new pg.Client({ connectionString })
  await client.connect()
  await createTables(client)
  const events = await load(task, connectionString)
  const rebuilding = rebuildPostgreSQLProjections({
    connectionString,
    ...(task.batchSize && { pulling: { batchSize: task.batchSize } }),
    projections: Object.entries(peers).map(([name, { evolve, canHandle }]) =>
      postgreSQLRawSQLProjection({
        name,
        canHandle: [...canHandle],
        evolve: (event) => evolve(event as never),
        init: () => rawSql('SELECT 1'),
      }),
    ),
  })
  const began = performance.now()
  await rebuilding.start()
  const milliseconds = performance.now() - began
  const rows = await countRows(client)
  const result: PeerResult = { events, milliseconds, rows }
  process.stdout.write(JSON.stringify(result), () => process.exit())
}

/** A database for this run alone: Emmett's event store appends to what it finds, so events would be there twice. */
async function createDatabase(databaseUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const name = `peer_${randomUUID().replaceAll('-', '')}`
  await client.query(`CREATE DATABASE ${name}`)
  await client.end()
  return Object.assign(new URL(databaseUrl), { pathname: name }).href
}

async function createTables(client: pg.Client): Promise<void> {
  await client.query('CREATE SCHEMA peer')
  for (const table of peerTables) await client.query(`CREATE TABLE peer.${table}`)
}

/** Emmett's consumer ends without an error when a projection fails, so only the rows tell that it has worked. */
async function countRows(client: pg.Client): Promise<Record<string, number>> {
  const rows: Record<string, number> = {}
  for (const table of peerTables) {
    const name = table.slice(0, table.indexOf(' '))
    const { rowCount } = await client.query(`SELECT FROM peer.${name}`)
    if (!rowCount) throw new Error(`Emmett's projections have left the table ${name} empty`)
    rows[name] = rowCount
  }
  return rows
}

/** Append the events in the order of the history, those of one command in one append. */
async function load({ eventStoreUrl, events }: PeerTask, connectionString: string): Promise<number> {
  const from = connectEventStore(eventStoreUrl)
  const to = getPostgreSQLEventStore(connectionString)
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

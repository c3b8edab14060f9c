import { randomUUID } from 'node:crypto'
import { inTime } from '../../../lib/inTime.ts'
import { listen } from '../../../stores/postgres/notifications.ts'
import type { Postgres } from '../../../stores/postgres/postgres.ts'
import { reachPostgres } from '../advice.ts'
import { type Finding, ok, problem, sizeText } from './finding.ts'

/** Check that PostgreSQL answers, its version, and the rights of the service. */

const leastVersion = 150_000
/** When more than this share of the connections is in use, the next process may get none. */
const fewConnections = 0.9
const heardWithinMs = 3_000

interface Server {
  readonly version: string
  readonly number: number
  readonly database: string
  readonly role: string
  readonly encoding: string
  readonly bytes: number
  readonly used: number
  readonly most: number
}

/** Return the findings. `reachable` is false when no other check of PostgreSQL can succeed. */
export async function checkPostgres(
  postgres: Postgres,
  { url, isEmbedded }: { readonly url: string; readonly isEmbedded: boolean },
): Promise<{ readonly findings: readonly Finding[]; readonly reachable: boolean }> {
  try {
    const server = await describe(postgres)
    const permissions = [
      await mayCreate(postgres),
      await mayTerminate(postgres),
      await mayListen(postgres, url),
    ]
    return { findings: [...serverFindings(server), ...permissions], reachable: true }
  } catch (error) {
    const { host, pathname } = new URL(url)
    return {
      findings: [
        problem('PostgreSQL', `${host}${pathname}: ${(error as Error).message}`, reachPostgres(isEmbedded)),
      ],
      reachable: false,
    }
  }
}

async function describe(postgres: Postgres): Promise<Server> {
  const [row] = await postgres.query<Server>(
    `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number,
       current_database() AS database, current_user AS role, current_setting('server_encoding') AS encoding,
       pg_database_size(current_database()) AS bytes,
       (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS used,
       current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS most`,
  )
  return row!
}

function serverFindings({ version, number, database, role, encoding, bytes, used, most }: Server): Finding[] {
  return [
    number >= leastVersion
      ? ok('PostgreSQL', `${version}, database ${database} as ${role}`)
      : problem('PostgreSQL', `${version} is older than this release supports`, 'upgrade to 15 or later'),
    ...(encoding === 'UTF8'
      ? []
      : [
          problem(
            'encoding',
            `the database is in ${encoding}`,
            "create a database with ENCODING 'UTF8', and name it in DATABASE_URL: the service builds the read models there",
          ),
        ]),
    used < most * fewConnections
      ? ok('connections', `${used} of ${most} in use`)
      : problem(
          'connections',
          `${used} of ${most} in use`,
          'raise max_connections, or lower DATABASE_POOL_SIZE of the services (each process takes that many and up to 11 more)',
        ),
    ok('size of the database', sizeText(bytes)),
  ]
}

/** Create a schema and roll it back: this finds missing rights, read-only servers and full disks. */
async function mayCreate(postgres: Postgres): Promise<Finding> {
  const check = 'may create schemas'
  const connection = await postgres.connect()
  try {
    const schema = `heatmark_doctor_${randomUUID().slice(0, 8)}`
    await connection.query(`BEGIN; CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.trial (one integer)`)
    return ok(check, 'yes, and tables in them')
  } catch (error) {
    return problem(
      check,
      (error as Error).message,
      'GRANT CREATE ON DATABASE to the database user of DATABASE_URL, and check that the server is no read-only standby',
    )
  } finally {
    await connection.query('ROLLBACK').catch(() => {})
    connection.release()
  }
}

/** A process that takes over a lease ends the connection of the previous holder. */
async function mayTerminate(postgres: Postgres): Promise<Finding> {
  const check = 'may end its sessions'
  const other = await postgres.connect()
  try {
    const [session] = await other.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    const [row] = await postgres.query<{ ended: boolean }>(
      'SELECT pg_terminate_backend(pid, 2000) AS ended FROM pg_stat_activity WHERE pid = $1 AND pid <> pg_backend_pid()',
      [session!.pid],
    )
    if (row?.ended) return ok(check, 'yes')
    throw new Error('the session is still there')
  } catch (error) {
    return problem(
      check,
      (error as Error).message,
      'GRANT EXECUTE ON FUNCTION pg_terminate_backend to the database user of DATABASE_URL, and connect to PostgreSQL itself, not to a pooler: otherwise no process can replace a projector that hangs',
    )
  } finally {
    other.release(true)
  }
}

/** Notifications tell every process what has been projected. */
async function mayListen(postgres: Postgres, url: string): Promise<Finding> {
  const check = 'LISTEN and NOTIFY'
  const channel = `heatmark_doctor_${randomUUID().slice(0, 8)}`
  const heard = Promise.withResolvers<string>()
  const notifications = listen({
    url,
    channel,
    onPayload: heard.resolve,
    onListening: () =>
      void postgres.query('SELECT pg_notify($1, $2)', [channel, 'heard']).catch(heard.reject),
  })
  try {
    await inTime(heard.promise, heardWithinMs, () => new Error('nothing heard'))
    return ok(check, 'work')
  } catch (error) {
    return problem(
      check,
      (error as Error).message,
      'connect to PostgreSQL itself, not through a pooler that shares sessions (PgBouncer: pool_mode = session)',
    )
  } finally {
    await notifications.close()
  }
}

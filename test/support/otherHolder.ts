import type { Connection, Postgres } from '../../src/stores/postgres/postgres.ts'

/** Give a lease to another holder, with a backend of its own, as a process does that takes it. It is never renewed. */
export async function giveToAnother(postgres: Postgres, leaseName: string): Promise<Connection> {
  const connection = await postgres.connect()
  await connection.query(
    `UPDATE heatmark_local.lease SET owner = 'another', fencing = fencing + 1, backend_pid = a.pid,
       backend_start = a.backend_start, expires_at = clock_timestamp() + interval '3 s'
     FROM pg_stat_activity a WHERE a.pid = pg_backend_pid() AND name = $1`,
    [leaseName],
  )
  return connection
}

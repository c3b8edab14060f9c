import { join } from 'node:path'
import { connectPostgres } from '../src/stores/postgres/postgres.ts'
import { inspect, rest } from './inspector.ts'
import type { MeasuredService } from './processes.ts'

/** The projector and the policies finish, and PostgreSQL's processes publish their counts. */
const settlingMs = 1_500
/** Some parts look every 15 s. */
const idleMs = 30_000

type Counts = Readonly<Record<string, number>>

/** Runs in the service: counts calls of functions that every module shares. */
const counting = `(() => {
  const require = process.getBuiltinModule('module').createRequire(${JSON.stringify(join(import.meta.dirname, '../package.json'))})
  const counts = (globalThis.workCounts = {})
  const count = (owner, name, what) => {
    const original = owner[name]
    counts[what] = 0
    owner[name] = function (...given) {
      counts[what] += 1
      return original.apply(this, given)
    }
  }
  count(require('pg').Query.prototype, 'submit', 'statements')
  count(require('pg').Connection.prototype, 'sync', 'round trips to PostgreSQL')
  count(JSON, 'stringify', 'JSON.stringify')
  count(JSON, 'parse', 'JSON.parse')
})()`

/**
 * Count what the service does for one of these tag updates, sent one after another. What it does meanwhile by itself is
 * counted in an equally long rest, and taken off; `idleStatements` are those of a second of a longer one.
 */
export async function countWork(
  { pid, dev }: MeasuredService,
  url: string,
  token: string,
  commands: number,
): Promise<{ ofOne: ReadonlyMap<string, number>; idleStatements: number }> {
  const inspector = await inspect(pid)
  const postgres = connectPostgres({ url: dev.databaseUrl, name: 'bench', size: 1 })
  try {
    await inspector.call('Runtime.evaluate', { expression: counting })
    await inspector.call('Profiler.enable')
    await inspector.call('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    const decoded = async () => decodedIn(await inspector.call('Profiler.takePreciseCoverage'))
    const read = async (): Promise<Counts> => ({
      'events decoded': await decoded(),
      ...(await countsIn(inspector)),
      // PostgreSQL's processes publish their counts about once a second.
      ...(
        await postgres.query<Counts>(
          `SELECT sum(fsyncs)::integer AS "waits of PostgreSQL for the disk",
           (SELECT xact_commit::integer FROM pg_stat_database WHERE datname = current_database()) AS "transactions"
         FROM pg_stat_io WHERE object = 'wal'`,
        )
      )[0],
    })
    const during = async (work: () => Promise<unknown>): Promise<Counts> => {
      const before = await read()
      await work()
      await rest(settlingMs)
      const after = await read()
      // Coverage counts from one look to the next; the others count from the start.
      return Object.fromEntries(
        Object.entries(after).map(([what, n]) => [what, what === 'events decoded' ? n : n - before[what]!]),
      )
    }
    let took = 0
    const busy = await during(async () => {
      const began = performance.now()
      for (let n = 0; n < commands; n++) await update(url, token, `Counted ${n}`)
      took = performance.now() - began
    })
    const alone = await during(() => rest(took))
    const idle = await during(() => rest(idleMs))
    return {
      ofOne: new Map(Object.entries(busy).map(([what, n]) => [what, (n - alone[what]!) / commands])),
      idleStatements: (idle.statements! * 1_000) / (idleMs + settlingMs),
    }
  } finally {
    inspector.close()
    await postgres.close()
  }
}

async function update(url: string, token: string, name: string): Promise<void> {
  const response = await fetch(url, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name, color: '#1f77b4', severity: 'Flag' }),
  })
  if (!response.ok) throw new Error(await response.text())
  await response.arrayBuffer()
}

async function countsIn(inspector: {
  call(method: string, params?: object): Promise<unknown>
}): Promise<Counts> {
  const expression = 'JSON.stringify(globalThis.workCounts)'
  const { result } = (await inspector.call('Runtime.evaluate', { expression })) as {
    result: { value: string }
  }
  return JSON.parse(result.value)
}

interface Coverage {
  readonly result: readonly {
    readonly url: string
    readonly functions: readonly { functionName: string; ranges: readonly { count: number }[] }[]
  }[]
}

function decodedIn(taken: unknown): number {
  const reads = (taken as Coverage).result.find(({ url }) => url.endsWith('/eventStoreDb/reads.ts'))
  return reads?.functions.find(({ functionName }) => functionName === 'toRecorded')?.ranges[0]?.count ?? 0
}

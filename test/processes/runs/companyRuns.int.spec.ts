import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findCompanyRun } from '../../../src/processes/runs/companyRunQueries.ts'
import type { CompanyRun, NewRun } from '../../../src/processes/runs/companyRuns.ts'
import { createRunner, type Perform, type Runner } from '../../../src/processes/runs/runner.ts'
import { createRunRows, type RunRows } from '../../../src/processes/runs/runRows.ts'
import { findExport } from '../../../src/proofs/companyExports/rows.ts'
import { migrateLocal } from '../../../src/stores/localSchema/migrate.ts'
import { connectPostgres, type Postgres } from '../../../src/stores/postgres/postgres.ts'
import { createDatabase, type TestDatabase } from '../../support/postgres.ts'
import { until } from '../../support/until.ts'

/** The runs of companies, and the runner that carries them out. */

const storeId = randomUUID()
const companyId = randomUUID()
let database: TestDatabase
let postgres: Postgres
const runners: Runner[] = []
beforeEach(async () => {
  database = await createDatabase()
  postgres = connectPostgres({ url: database.url, name: 'spec', size: 4 })
  await migrateLocal(postgres)
})
afterEach(async () => {
  for (const runner of runners.splice(0)) await runner.close()
  await postgres.close()
  await database.drop()
})

function start(orderPack: Perform, rows = createRunRows(postgres, storeId)): Runner {
  const runner = createRunner({
    rows,
    perform: { orderPack, companyExport: orderPack },
    errorOf: (error) => ({ code: 'internal-error', detail: (error as Error).message }),
    onError: () => {},
  })
  runners.push(runner)
  return runner
}

function newRun(more: Partial<NewRun> = {}) {
  return {
    companyId,
    runId: randomUUID(),
    kind: 'orderPack' as const,
    input: { n: 1 },
    requestHash: 'one',
    startedBy: { id: 'planner', kind: 'user' as const, permission: 'pack' as const },
    name: 'Paula Planner',
    ...more,
  }
}

async function find(runId: string): Promise<CompanyRun> {
  const [row] = await postgres.query<CompanyRun>(...paired(findCompanyRun(storeId, companyId, runId)))
  return row!
}
async function untilAborted(signal: AbortSignal): Promise<never> {
  await once(signal, 'abort')
  throw signal.reason
}

const paired = ({ text, values }: ReturnType<typeof findCompanyRun>) => [text, values] as const
const ended = (runId: string) =>
  until(async () => ['succeeded', 'failed'].includes((await find(runId)).status))

describe('a run', () => {
  it('is carried out with its input and its author, and keeps its result', async () => {
    const seen: unknown[] = []
    const runner = start(async ({ input, name, startedBy }) => {
      seen.push([input, name, startedBy])
      return { packId: 'pack' }
    })
    const asked = newRun()
    const { run } = await runner.begin(asked)
    expect(run).toMatchObject({ status: 'waiting', progress: 0, result: null, error: null })
    await ended(run.runId)
    const done = { status: 'succeeded', progress: 1, result: { packId: 'pack' }, startedBy: 'planner' }
    expect(await find(run.runId)).toMatchObject(done)
    expect(seen).toEqual([[asked.input, 'Paula Planner', asked.startedBy]])
  })

  it('that has written an export says until when it can be downloaded', async () => {
    const exportId = randomUUID()
    const runner = start(async () => ({ exportId }))
    const { run } = await runner.begin(newRun({ kind: 'companyExport' }))
    expect(run.availableUntil).toBeNull()
    await ended(run.runId)
    const found = async () => {
      const { text, values } = findExport(storeId, companyId, exportId)
      return (await postgres.query(text, values)).length
    }
    const days = async () => (Date.parse((await find(run.runId)).availableUntil!) - Date.now()) / 86_400_000
    expect([Math.round(await days()), await found()]).toEqual([7, 1])
    await postgres.query(
      "UPDATE heatmark_local.company_run SET updated_at = updated_at - interval '8 days' WHERE run_id = $1",
      [run.runId],
    )
    expect([Math.round(await days()), await found()]).toEqual([-1, 0])
  })

  it('that has written an export is found by its key, among the runs of all companies', async () => {
    const { text, values } = findExport(storeId, companyId, randomUUID())
    const plan = await postgres.transaction(async ({ query }) => {
      // The table of this spec is small enough to be read as a whole.
      await query('SET LOCAL enable_seqscan = off')
      return query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, values)
    })
    expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toMatch(/Index Cond: .*run_id = /)
  })

  it('that fails says why, and the next one is carried out', async () => {
    let tries = 0
    const runner = start(async () => {
      tries += 1
      if (tries === 1) throw new Error('no room')
      return {}
    })
    const [first, second] = [await runner.begin(newRun()), await runner.begin(newRun())]
    await ended(second.run.runId)
    expect(await find(first.run.runId)).toMatchObject({
      status: 'failed',
      error: { code: 'internal-error', detail: 'no room' },
    })
    expect(await find(second.run.runId)).toMatchObject({ status: 'succeeded' })
  })

  it('is begun once under one id, and its id belongs to one request', async () => {
    let tries = 0
    const runner = start(async () => ({ tries: ++tries }))
    const asked = newRun()
    expect((await runner.begin(asked)).isNew).toBe(true)
    await ended(asked.runId)
    expect(await runner.begin(asked)).toMatchObject({ isNew: false, run: { status: 'succeeded' } })
    await expect(runner.begin({ ...asked, requestHash: 'other' })).rejects.toMatchObject({
      code: 'idempotency-key-reused',
    })
    expect(tries).toBe(1)
  })

  it('that exports a company is refused while another one is under way, and its repeat is answered', async () => {
    const { promise: end, resolve } = Promise.withResolvers<object>()
    const runner = start(() => end)
    const [asked, next] = [newRun({ kind: 'companyExport' }), newRun({ kind: 'companyExport' })]
    await runner.begin(asked)
    await expect(runner.begin(next)).rejects.toMatchObject({ code: 'too-many-large-reads' })
    expect(await find(next.runId)).toBeUndefined()
    expect((await runner.begin(asked)).isNew).toBe(false)
    for (const other of [newRun(), { ...next, companyId: randomUUID(), runId: randomUUID() }])
      expect((await runner.begin(other)).isNew).toBe(true)
    resolve({})
    await ended(asked.runId)
    expect((await runner.begin(next)).isNew).toBe(true)
  })

  it('whose process has gone is begun again by another, and the first writes nothing more', async () => {
    const rows = createRunRows(postgres, storeId)
    const asked = newRun()
    await rows.keep(asked, 20)
    const lost = await rows.claim('orderPack')
    expect(await rows.claim('orderPack')).toBeUndefined()
    await postgres.query("UPDATE heatmark_local.company_run SET updated_at = now() - interval '1 minute'", [])
    const runner = start(async () => ({ by: 'another' }))
    await ended(asked.runId)
    await rows.end(lost!, { status: 'failed', error: { code: 'internal-error', detail: 'late' } })
    expect(await find(asked.runId)).toMatchObject({ status: 'succeeded', result: { by: 'another' } })
    await runner.close()
  })

  it('that breaks off three times fails', async () => {
    const rows = createRunRows(postgres, storeId)
    const asked = newRun()
    await rows.keep(asked, 20)
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      expect((await rows.claim('orderPack'))?.attempt).toBe(attempt)
      await postgres.query(
        "UPDATE heatmark_local.company_run SET updated_at = now() - interval '1 minute'",
        [],
      )
    }
    let performed = 0
    start(async () => ({ performed: ++performed }))
    await ended(asked.runId)
    expect(await find(asked.runId)).toMatchObject({ status: 'failed', error: { code: 'internal-error' } })
    expect(performed).toBe(0)
  })

  it('whose end cannot be written is begun again, and has not failed', async () => {
    const rows = createRunRows(postgres, storeId)
    const lost: string[] = []
    const end: RunRows['end'] = async (run, ending) => {
      if (lost.push(ending.status) === 1) throw new Error('connection lost')
      await rows.end(run, ending)
    }
    const runner = start(async () => ({ by: 'this' }), { ...rows, end })
    const { run } = await runner.begin(newRun())
    await until(() => lost.length > 0)
    expect(await find(run.runId)).toMatchObject({ status: 'running', result: null, error: null })
    await postgres.query("UPDATE heatmark_local.company_run SET updated_at = now() - interval '1 minute'", [])
    await runner.begin(newRun())
    await ended(run.runId)
    expect(await find(run.runId)).toMatchObject({ status: 'succeeded', result: { by: 'this' } })
    expect(new Set(lost)).toEqual(new Set(['succeeded']))
  })

  it('waits for another process when its own stops', async () => {
    const runner = start((_run, { signal }) => untilAborted(signal))
    const { run } = await runner.begin(newRun())
    await until(async () => (await find(run.runId)).status === 'running')
    await runner.close()
    expect(await find(run.runId)).toMatchObject({ status: 'waiting' })
    start(async () => ({}))
    await ended(run.runId)
    expect(await find(run.runId)).toMatchObject({ status: 'succeeded' })
  })

  it('waits for another process also when its own stops while it takes the run', async () => {
    const rows = createRunRows(postgres, storeId)
    await rows.keep(newRun(), 20)
    const taken = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    const claim: RunRows['claim'] = async (kind) => {
      const run = await rows.claim(kind)
      if (run) taken.resolve()
      await go.promise
      return run
    }
    let performed = 0
    const runner = start(async () => ({ performed: ++performed }), { ...rows, claim })
    await taken.promise
    const closed = runner.close()
    go.resolve()
    await closed
    expect(performed).toBe(0)
    expect((await rows.claim('orderPack'))?.attempt).toBe(1)
  })

  it('is refused beside another, also when both are asked for at the same moment', async () => {
    const runner = start((_run, { signal }) => untilAborted(signal))
    const asked = Array.from({ length: 8 }, () => runner.begin(newRun({ kind: 'companyExport' })))
    const outcomes = await Promise.allSettled(asked)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('that exports a company waits while the process writes the export of another one', async () => {
    const { promise: end, resolve } = Promise.withResolvers<object>()
    let underWay = 0
    let most = 0
    const runner = start(async () => {
      most = Math.max(most, ++underWay)
      await end
      underWay -= 1
      return {}
    })
    const companies = Array.from({ length: 5 }, randomUUID)
    const runs = companies.map((one) => newRun({ kind: 'companyExport', companyId: one }))
    for (const run of runs) expect((await runner.begin(run)).isNew).toBe(true)
    await until(() => underWay === 1)
    const statusOf = async (runId: string) => {
      const [row] = await postgres.query<{ status: string }>(
        'SELECT status FROM heatmark_local.company_run WHERE run_id = $1',
        [runId],
      )
      return row!.status
    }
    const statuses = await Promise.all(runs.map(({ runId }) => statusOf(runId)))
    expect(statuses.toSorted()).toEqual(['running', 'waiting', 'waiting', 'waiting', 'waiting'])
    resolve({})
    for (const { runId } of runs) await until(async () => (await statusOf(runId)) === 'succeeded')
    expect(most).toBe(1)
  })

  it('of another kind does not wait for a long one', async () => {
    const runner = start(({ kind }, { signal }) =>
      kind === 'companyExport' ? untilAborted(signal) : Promise.resolve({}),
    )
    const { run: long } = await runner.begin(newRun({ kind: 'companyExport' }))
    await until(async () => (await find(long.runId)).status === 'running')
    const { run: pack } = await runner.begin(newRun())
    await ended(pack.runId)
    expect(await find(long.runId)).toMatchObject({ status: 'running' })
  })

  it('of a company that has many does not keep another company waiting', async () => {
    const rows = createRunRows(postgres, storeId)
    const other = randomUUID()
    for (const one of [companyId, companyId, companyId, other])
      await rows.keep(newRun({ companyId: one }), 20)
    const served: string[] = []
    for (let run = await rows.claim('orderPack'); run; run = await rows.claim('orderPack')) {
      served.push(run.companyId)
      await rows.end(run, { status: 'succeeded', result: {} })
    }
    expect(served).toEqual([companyId, other, companyId, companyId])
  })

  it('is refused while the company has 20 that have not ended', async () => {
    const rows = createRunRows(postgres, storeId)
    for (let count = 0; count < 20; count += 1) await rows.keep(newRun(), 20)
    await postgres.query("UPDATE heatmark_local.company_run SET status = 'running'", [])
    const runner = start(async () => ({}))
    await expect(runner.begin(newRun())).rejects.toMatchObject({ code: 'too-many-large-reads' })
    await runner.begin(newRun({ companyId: randomUUID() }))
  })
})

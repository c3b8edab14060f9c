import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { clock } from '../../../../src/lib/clocks.ts'
import type { ReplayProgress } from '../../../../src/projections/engine/operations/progress.ts'
import { rebuild } from '../../../../src/projections/engine/operations/rebuild.ts'
import type { ReplayOptions } from '../../../../src/projections/engine/operations/replay.ts'
import { findRun, performRun } from '../../../../src/projections/engine/operations/runs.ts'
import { verify } from '../../../../src/projections/engine/operations/verify.ts'
import { type Projection, table, text } from '../../../../src/projections/engine/projection.ts'
import { longestReadMs } from '../../../../src/projections/engine/projector/retired.ts'
import { createReader } from '../../../../src/projections/engine/reading/reader.ts'
import { connectEventStore } from '../../../../src/stores/eventStoreDb/connect.ts'
import type { Postgres } from '../../../../src/stores/postgres/postgres.ts'
import { own } from '../../../support/own.ts'
import { startProxy } from '../../../support/proxy.ts'
import { isFullRun, sized } from '../../../support/size.ts'
import { until } from '../../../support/until.ts'
import { company, items, log, type SampleEvent, samples } from '../../samples.ts'
import { setStage } from '../../stage.ts'

const rebuilds = sized(2, 10)

/** Stops at a note that says so, until it is mended. */
const fussy = (mended: boolean): Projection => ({
  name: 'fussy',
  version: 1,
  tables: { lastNote: table({ columns: { company: text, note: text }, key: ['company'] }) as never },
  handlers: {
    ItemNoted: {
      touches: ({ data }) => ({ lastNote: [[(data as { companyId: string }).companyId]] }),
      apply: (rows, { data }) => {
        const { companyId, note } = data as { companyId: string; note: string }
        if (note === 'stop' && !mended) throw new Error('told to stop')
        rows.lastNote!.put({ company: companyId, note })
      },
    },
  },
})

const all = [...samples, fussy(false)]
const mendedAll = [...samples, fussy(true)]

const put = (item: number, label = 'a'): SampleEvent => ({
  type: 'ItemPut',
  data: { companyId: company(item % 3), item, label, tags: [item] },
})
const note = (text: string): SampleEvent => ({
  type: 'ItemNoted',
  data: { companyId: company(1), item: 1, note: text },
})

const options = (projections: readonly Projection[], more: Partial<ReplayOptions> = {}): ReplayOptions => ({
  eventStore: stage.eventStore,
  postgres: stage.postgres,
  readModels: stage.readModels.only(projections),
  clock,
  ...more,
})

const reached = (position: number) =>
  until(async () =>
    (await stage.states()).every((one) => one.status === 'failed' || one.position >= position),
  )

/** Tables in the schema, besides the engine's own. */
const tables = async (): Promise<string[]> =>
  (
    await stage.postgres.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = $1::regnamespace ORDER BY 1`,
      [stage.readModels.schema],
    )
  )
    .map(({ name }) => name)
    .filter((name) => !['state', 'checkpoint'].includes(name))

const stage = await own(setStage(all))
beforeAll(async () => {
  for (let start = 0; start < 4; start++)
    await stage.append(
      ...Array.from({ length: 200 }, (_, item) => [put(item + start * 50), note(`${item}|x`)]).flat(),
    )
})

test(
  'rebuilt again and again while it is written to and read from, no read model ever looks anything but whole',
  async () => {
    const projector = stage.project()
    await reached((await stage.append(put(1))).position)
    const reader = createReader({
      postgres: stage.postgres,
      readModels: stage.readModels,
      streams: 1,
      positions: { knownStates: new Map() },
      clock,
    })
    let done = false
    let appended = 0
    const writing = (async () => {
      while (!done) await stage.append(put(appended++ % 300, `${appended}`), note(`${appended}`))
    })()
    let looks = 0
    const reading = (async () => {
      let [entries, position] = [0, 0]
      while (!done) {
        const { value, position: at } = await reader.read([log], async (one) => {
          const [row] = await one.query<{ entries: number; last: number }>({
            text: `SELECT count(*) AS entries, max(position) AS last FROM ${one.table(log, 'entry')}`,
            values: [],
          })
          return row!
        })
        // Notes are only ever added: fewer than before would be a list half filled.
        expect(value.entries).toBeGreaterThanOrEqual(entries)
        expect(at).toBeGreaterThanOrEqual(position)
        expect(value.last).toBeLessThanOrEqual(at)
        entries = value.entries
        position = at
        looks++
      }
    })()

    for (let round = 0; round < rebuilds; round++) {
      const { projections } = await rebuild(options(round % 2 === 0 ? all : [items]))
      expect(projections.map(({ name }) => name)).toEqual(
        round % 2 === 0 ? ['fussy', 'items', 'log'] : ['items'],
      )
    }
    done = true
    await Promise.all([writing, reading])
    await reached((await stage.eventStore.last())!.position)
    for (const projection of all)
      expect(await stage.rows(projection)).toEqual(await stage.rowsFromScratch(projection))
    expect((await stage.state('items')).generation).toBe(1 + rebuilds)
    expect((await stage.state('log')).generation).toBe(1 + rebuilds / 2)
    expect(looks).toBeGreaterThan(rebuilds)
    expect(projector.status()).toEqual({ leading: true, condition: undefined })
    await projector.stop()
  },
  isFullRun ? 900_000 : undefined,
)

test('replaced tables are dropped once nobody can be reading them', async () => {
  const present = all.flatMap(({ tables }) => Object.keys(tables)).length
  expect((await tables()).length).toBeGreaterThan(present)
  let later = 0
  const projector = stage.project({ now: () => new Date(Date.now() + later) })
  await until(() => projector.status().leading)
  await until(async () => {
    // From before the tables are noted on, however late that is.
    later += longestReadMs
    return (await tables()).length === present
  })
  await projector.stop()
})

test('verify finds every spoilt row of every table, and a rebuild mends it', async () => {
  const projector = stage.project()
  await reached((await stage.eventStore.last())!.position)
  expect(await verify(options(all))).toMatchObject({ differenceCount: 0, differences: [] })

  const { generation: ofItems } = await stage.state('items')
  const { generation: ofLog } = await stage.state('log')
  const { generation: ofFussy } = await stage.state('fussy')
  const at = (name: string, generation: number) => stage.readModels.tableName(name, generation)
  const someone = `company_id = '${company(1)}'`
  await stage.postgres.query(
    `UPDATE ${at('item', ofItems)} SET label = 'spoilt', tags = '{"spoilt": true}', weight = 7 WHERE ${someone} AND item = 4;
     DELETE FROM ${at('item', ofItems)} WHERE ${someone} AND item = 7;
     INSERT INTO ${at('company_total', ofItems)} VALUES ('${company(9)}', 99, 1);
     UPDATE ${at('item_past', ofItems)} SET label = 'spoilt'
       WHERE (company_id, item, to_position) = (
         SELECT company_id, item, to_position FROM ${at('item_past', ofItems)} WHERE ${someone} LIMIT 1);
     UPDATE ${at('company_total', ofItems)} SET total = total + 1 WHERE ${someone};
     DELETE FROM ${at('entry', ofLog)} WHERE position = (SELECT min(position) FROM ${at('entry', ofLog)}) AND ordinal = 0;
     UPDATE ${at('last_note', ofFussy)} SET note = note || '!'`,
  )
  const { differences, differenceCount } = await verify(options(all))
  const found = differences.map(({ table, key, column }) => [
    table,
    key.item ?? key.companyId ?? key.company,
    column,
  ])
  expect(found).toEqual([
    ['lastNote', company(1), 'note'],
    ['item', 4, 'label'],
    ['item', 4, 'tags'],
    ['item', 4, 'weight'],
    ['item', 7, '*'],
    ['itemPast', expect.any(Number), 'label'],
    ['companyTotal', company(1), 'total'],
    ['companyTotal', company(9), '*'],
    ['entry', company(1), '*'],
  ])
  expect(differenceCount).toBe(9)
  expect(differences[1]).toMatchObject({ projection: 'items', live: 'spoilt', rebuilt: expect.any(String) })
  expect(differences[4]).toMatchObject({ live: null, rebuilt: { item: 7 } })
  expect(differences[7]).toMatchObject({ live: { total: 99 }, rebuilt: null })
  expect(await verify({ ...options(all), most: 3 })).toMatchObject({
    differenceCount: 9,
    differences: differences.slice(0, 3),
  })
  // Verifying has mended nothing, and left nothing.
  expect((await stage.state('items')).generation).toBe(ofItems)

  await rebuild(options(all))
  expect(await verify(options(all))).toMatchObject({ differenceCount: 0 })
  await projector.stop()
})

test('a projection that has stopped comes back by a rebuild, once its fold is mended', async () => {
  const { position } = await stage.append(note('stop'), note('after'))
  const broken = stage.project()
  await reached(position)
  const stopped = await stage.state('fussy')
  expect(stopped).toMatchObject({ status: 'failed', failure: { message: 'told to stop' } })

  // With the same fold it fails at the same event, and all stays as it was.
  const before = await tables()
  await expect(rebuild(options(all))).rejects.toMatchObject({ code: 'fold-failed' })
  expect(await stage.state('fussy')).toEqual(stopped)
  expect(await tables()).toEqual(before)
  await broken.stop()

  const projector = stage.project({ projections: mendedAll })
  await reached((await stage.append(...Array.from({ length: 300 }, (_, item) => put(item)))).position)
  // It is folded up to where it stopped, the others beyond; every event is read once.
  const whole = await Array.fromAsync(stage.eventStore.readAll(0))
  expect(await verify(options(mendedAll))).toMatchObject({ differenceCount: 0, events: whole.length })
  // Its rows are whole up to where it stopped; a rebuild would bring more.
  const fussyMended = [fussy(true)]
  const upToStop = whole.filter((event) => event.position <= stopped.position)
  const shares: number[] = []
  const onProgress = ({ progress }: ReplayProgress) => shares.push(progress)
  expect(await verify(options(fussyMended, { onProgress }))).toMatchObject({
    differenceCount: 0,
    events: upToStop.length,
    stopped: [{ projection: 'fussy', position: stopped.failure!.event.position }],
  })
  expect(shares.at(-1)).toBe(1)
  const runId = randomUUID()
  await performRun({ ...options(fussyMended), runId, kind: 'verify' })
  expect(await findRun(stage.postgres, stage.readModels, runId)).toMatchObject({
    status: 'succeeded',
    stopped: [{ projection: 'fussy', position: stopped.failure!.event.position }],
  })
  expect(await verify({ ...options(fussyMended), asRebuilt: true })).toMatchObject({
    differenceCount: 1,
    differing: ['fussy'],
    stopped: [],
  })
  await rebuild(options(fussyMended))
  expect(await stage.state('fussy')).toMatchObject({ status: 'running', failure: null })
  const { position: last } = await stage.append(note('alive'))
  await until(async () => (await stage.state('fussy')).position >= last)
  expect(await stage.rows(fussyMended[0]!)).toEqual(await stage.rowsFromScratch(fussyMended[0]!))
  await projector.stop()
})

test('refuses to fold over another history, also that of a stopped projection', async () => {
  const states = stage.readModels.stateTable
  const before = await stage.state('items')
  const another = `position = ${before.position}, event_id = 'of another history' WHERE name = 'items'`
  for (const how of [another, `status = 'failed', ${another}`]) {
    await stage.postgres.query(`UPDATE ${states} SET ${how}`)
    // Whichever is folded again: they are shown together.
    for (const which of [mendedAll, [fussy(true)]])
      for (const replay of [rebuild, verify]) {
        const folded: number[] = []
        const onProgress = ({ events }: ReplayProgress) => folded.push(events)
        await expect(replay(options(which, { onProgress }))).rejects.toMatchObject({
          code: 'event-store-went-back',
        })
        expect(Math.max(...folded)).toBe(0)
      }
  }
  await stage.postgres.query(`UPDATE ${states} SET status = 'running', position = NULL WHERE name = 'items'`)
  await rebuild(options(mendedAll))
})

test('a history that changes while it is folded is noticed before the switch', async () => {
  const states = stage.readModels.stateTable
  const before = await stage.states()
  const { position, eventId } = await stage.state('items')
  for (const status of ['running', 'failed']) {
    const change = (now: string, id: string | null) =>
      stage.postgres.query(
        `UPDATE ${states} SET status = $1, event_id = $2, position = $3 WHERE name = 'items'`,
        [now, id, position],
      )
    const postgres: Postgres = {
      ...stage.postgres,
      async connect() {
        const connection = await stage.postgres.connect()
        return {
          ...connection,
          async query(text, values, limits) {
            if (text.startsWith('LOCK TABLE')) await change(status, 'of another history')
            return connection.query(text, values, limits)
          },
        }
      },
    }
    await expect(rebuild(options([items], { postgres }))).rejects.toMatchObject({
      code: 'event-store-went-back',
    })
    await change('running', eventId)
  }
  expect(await stage.states()).toEqual(before)
})

test('a verify says which tables are missing; a rebuild makes them again', async () => {
  const { generation } = await stage.state('items')
  await stage.postgres.query(`DROP TABLE ${stage.readModels.tableName('companyTotal', generation)}`)
  for (const asRebuilt of [false, true])
    await expect(verify({ ...options(mendedAll), asRebuilt })).rejects.toThrow(
      new RegExp(`^items cannot be compared: its table company_total_${generation} is missing; "heatmark `),
    )
  await rebuild(options([items]))
  expect(await verify(options(mendedAll))).toMatchObject({ differenceCount: 0 })
})

test('one replay of a projection at a time; one that is broken off leaves nothing that matters', async () => {
  const before = await stage.states()
  const proxy = await startProxy(stage.node.url)
  const eventStore = connectEventStore(proxy.url)
  proxy.hold()
  const stop = new AbortController()
  const first = rebuild(options(mendedAll, { eventStore, signal: stop.signal }))
  const { generation } = await stage.state('items')
  await until(async () => (await tables()).includes(`item_${generation + 1}`))
  await expect(verify(options([items]))).rejects.toThrow('A rebuild or verify of items is under way')

  // Its connection is lost in the middle, as when its process is killed. It may fail before the next statement ends.
  const broken = expect(first).rejects.toThrow('PostgreSQL')
  await stage.postgres.query(
    `SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_database d ON d.oid = database
     WHERE datname = current_database() AND locktype = 'advisory' AND pid <> pg_backend_pid()`,
  )
  proxy.resume()
  await broken
  expect(await stage.states()).toEqual(before)
  expect(await tables()).toContain(`item_${generation + 1}`)

  const second = rebuild(options(mendedAll, { signal: AbortSignal.abort(new Error('stopped')) }))
  await expect(second).rejects.toThrow('stopped')
  expect(await tables()).not.toContain(`item_${generation + 1}`)
  await eventStore.close()
  await proxy.close()
})

test('waits for a store that is away, and reports that it is stalled', async () => {
  const proxy = await startProxy(stage.node.url)
  const eventStore = connectEventStore(proxy.url)
  let later = 0
  const said: ReplayProgress[] = []
  proxy.refuse()
  const rebuilding = rebuild(
    options(mendedAll, {
      eventStore,
      clock: () => performance.now() + later,
      onProgress: (progress) => said.push(progress),
    }),
  )
  await until(() => said.length > 0)
  expect(said.at(-1)).toMatchObject({ status: 'running', position: 0 })
  later = 61_000
  await until(() => said.at(-1)!.status === 'stalled')
  proxy.accept()
  const { events } = await rebuilding
  const { position } = (await stage.eventStore.last())!
  expect(said.at(-1)).toMatchObject({ status: 'running', position, target: position, events, etaSeconds: 0 })
  await eventStore.close()
  await proxy.close()
})

test('does not report a long index as stalled', async () => {
  // A sequence is seen as it is at the moment, whatever the snapshot.
  await stage.postgres.query(
    `CREATE SEQUENCE public.enough;
     CREATE FUNCTION public.slowly(note text) RETURNS text IMMUTABLE LANGUAGE plpgsql
     AS $$ BEGIN WHILE NOT (SELECT is_called FROM public.enough) LOOP PERFORM pg_sleep(0.01); END LOOP; RETURN note; END $$`,
  )
  const { lastNote } = fussy(true).tables
  const slow = { ...fussy(true), tables: { lastNote: { ...lastNote!, indexes: ['(public.slowly(note))'] } } }
  let later = 0
  const said: ReplayProgress[] = []
  const rebuilding = rebuild(
    options([slow], {
      clock: () => performance.now() + later,
      onProgress: (progress) => said.push(progress),
      reportEveryMs: 50,
    }),
  )
  await until(async () => {
    const busy = `SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'CREATE INDEX%slowly%'`
    return (await stage.postgres.query(busy)).length > 0
  })
  for (later of [40_000, 80_000]) {
    const before = said.length
    await until(() => said.length > before + 1)
  }
  await stage.postgres.query(`SELECT nextval('public.enough')`)
  await rebuilding
  expect(said.map(({ status }) => status)).not.toContain('stalled')
})

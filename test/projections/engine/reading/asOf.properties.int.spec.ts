import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { beforeAll, expect, it } from 'vitest'
import { createChance } from '../../../../bench/replay/chance.ts'
import { createShop } from '../../../../bench/replay/shop.ts'
import type { PastEvent } from '../../../../bench/replay/stream.ts'
import type { Recorded } from '../../../../src/domain/kernel/event.ts'
import type { RuleBook } from '../../../../src/domain/rulePacks/ruleBook.ts'
import { families } from '../../../../src/domain/tags/tag.ts'
import { judge } from '../../../../src/domain/verdict/verdict.ts'
import { completeFacts } from '../../../../src/domain/verdict/verdictFacts.ts'
import { clock } from '../../../../src/lib/clocks.ts'
import { projections } from '../../../../src/projections/all.ts'
import { barList, findBar, findPlan, listPlans } from '../../../../src/projections/bars/productionQueries.ts'
import {
  type FoundFacts,
  findCertificate,
  findOrder,
  findVerdictFacts,
  judgedFrom,
} from '../../../../src/projections/bars/verdicts.ts'
import {
  certificateList,
  liveCertificateList,
} from '../../../../src/projections/certificates/certificates.ts'
import { ownColumns } from '../../../../src/projections/engine/projection.ts'
import { asOf } from '../../../../src/projections/engine/reading/asOf.ts'
import { filteredList } from '../../../../src/projections/engine/reading/filteredList.ts'
import { createReader, type StreamReading } from '../../../../src/projections/engine/reading/reader.ts'
import { fold, plan } from '../../../../src/projections/engine/rows/fold.ts'
import type { Row } from '../../../../src/projections/engine/rows/rows.ts'
import { workingRows } from '../../../../src/projections/engine/rows/workingRows.ts'
import type { ReadModels } from '../../../../src/projections/engine/schema/readModels.ts'
import { ensureSchema } from '../../../../src/projections/engine/schema/schema.ts'
import { analyze, snakeCase } from '../../../../src/projections/engine/schema/sql.ts'
import { orderList } from '../../../../src/projections/orders/orderQueries.ts'
import { findTrace } from '../../../../src/projections/orders/traceability.ts'
import { listAssignments } from '../../../../src/projections/tags/tagAssignments.ts'
import { findTag, listTags } from '../../../../src/projections/tags/tags.ts'
import { loadRulePacks } from '../../../../src/rulePacks/load.ts'
import { createRuleBook } from '../../../../src/rulePacks/ruleBook.ts'
import { type Postgres, quoteIdentifier } from '../../../../src/stores/postgres/postgres.ts'
import { ownDatabase } from '../../../support/postgres.ts'
import { sized } from '../../../support/size.ts'
import { foldInMemory } from '../../foldInMemory.ts'
import { byKey, writeRows } from '../../tables.ts'

/** The rows, lists, records and verdicts of a company as of random positions, over the real read models. */

const [histories, positionsEach] = sized([2, 4], [5, 20])
/** Read models of a position take a second to build, so the lists of every tenth position are compared in a long run. */
const shownEach = sized(1, 5)
const things = 60

const { postgres } = await ownDatabase()
let rules: RuleBook
beforeAll(async () => {
  rules = createRuleBook(await loadRulePacks())
})

/** The connections of the spec: a busy machine may take longer than a request waits. */
function patient(): Postgres {
  const connect = async () => {
    const connection = await postgres.connect()
    return {
      ...connection,
      query: (text: string, values?: readonly unknown[]) => connection.query(text, values),
    }
  }
  return { ...postgres, connect: connect as Postgres['connect'] }
}

interface History {
  readonly companyId: string
  readonly events: readonly Recorded[]
}

/** Everything that happens in a company of its own, decided by the domain. */
function historyOf(seed: number): History {
  const chance = createChance(seed)
  const happened: PastEvent[] = []
  let commands = 0
  const past = {
    chance,
    rules,
    actors: [{ id: 'user-1', name: 'Edith Editor', kind: 'user' }] as const,
    now: () => new Date(Date.UTC(2026, 0, 1) + ++commands * 20_000).toISOString(),
  }
  const shop = createShop(past, (event) => happened.push(event), true)
  for (let n = 0; n < things; n += 1) shop.work()
  const events = happened.map(({ stream: streamName, ...event }, index): Recorded => {
    // There are gaps between positions.
    return { ...event, streamName, position: 1_000 + 7 * index }
  })
  return { companyId: (events[0]!.data as { companyId: string }).companyId, events }
}

/** Bars are planned seldom, and without one there is no verdict to compare. */
function* historiesWithBars(): Iterable<History & { readonly seed: number }> {
  for (let seed = 1, found = 0; found < histories; seed += 1) {
    const history = historyOf(seed)
    if (!history.events.some(({ type }) => type === 'BarOpened')) continue
    found += 1
    yield { ...history, seed }
  }
}

/** Write the rows that a fold of the events from scratch gives, and analyse the tables, as a rebuild does. */
async function build(readModels: ReadModels, events: readonly Recorded[]): Promise<void> {
  for (const projection of judgedFrom) {
    const tables = readModels.tablesOf(projection.name, 1)
    for (const { sqlName } of tables) await postgres.query(`TRUNCATE ${sqlName}`)
    await writeRows(postgres, readModels, projection, foldInMemory(projection, events))
    for (const { sqlName } of tables) await postgres.query(analyze(sqlName))
  }
}

/** Every versioned table of the read models. */
const versioned = judgedFrom.flatMap((projection) =>
  Object.entries(projection.tables).flatMap(([name, table]) =>
    table.versioned ? [{ projection, name, columns: Object.keys(ownColumns(table)) }] : [],
  ),
)

/** Return the rows that each versioned table had at a position. */
async function rowsAsOf(reading: StreamReading): Promise<object> {
  const tables: Record<string, unknown> = {}
  for (const { projection, name, columns } of versioned) {
    const selected = columns.map((column) => `${snakeCase(column)} AS ${quoteIdentifier(column)}`)
    const text = `SELECT ${selected.join(', ')} FROM ${reading.table(projection, name)}`
    tables[name] = byKey(projection, name, await reading.query<Row>({ text, values: [] }))
  }
  return tables
}

type Tables = Readonly<Record<string, ReadonlyMap<string, Row>>>

/** Return the rows that a fold of these events from scratch gives to each versioned table. */
function rowsFolded(events: readonly Recorded[]): Tables {
  const folded = new Map(judgedFrom.map((projection) => [projection, foldInMemory(projection, events)]))
  return Object.fromEntries(
    versioned.map(({ projection, name, columns }) => [
      name,
      byKey(
        projection,
        name,
        folded.get(projection)![name]!.map((row) => ownValues(columns, row)),
      ),
    ]),
  )
}

/** Fold the events step by step: a fold from scratch for each of 1,000 positions would take most of an hour. */
function foldForward(events: readonly Recorded[]): { to(position: number): Tables } {
  const folds = judgedFrom.map((projection) => {
    const tables = new Map(Object.keys(projection.tables).map((name) => [name, new Map<string, Row>()]))
    return {
      projection,
      tables,
      working: workingRows(projection, (name, key) => tables.get(name)!.get(key) ?? null),
    }
  })
  const rows = Object.fromEntries(versioned.map(({ name }) => [name, new Map<string, Row>()]))
  let folded = 0
  return {
    to(position) {
      const next = events.findLastIndex((event) => event.position <= position) + 1
      for (const { projection, tables, working } of folds) {
        const failure = fold(plan(projection, events.slice(folded, next)), working)
        if (failure) throw failure.error
        for (const [name, { changed }] of working.take()) {
          const columns = versioned.find((one) => one.name === name)?.columns
          for (const [key, row] of changed) {
            put(tables.get(name)!, key, row)
            if (columns) put(rows[name]!, key, row && ownValues(columns, row))
          }
        }
      }
      folded = next
      return rows
    },
  }
}

function put(rows: Map<string, Row>, key: string, row: Row | null): void {
  if (row) rows.set(key, row)
  else rows.delete(key)
}

function ownValues(columns: readonly string[], row: Row): Row {
  return Object.fromEntries(columns.map((column) => [column, row[column]]))
}

/** `toEqual` takes seconds for thousands of rows, also when nothing differs. */
function expectEqual(actual: object, expected: object, where: string): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual, where).toEqual(expected)
}

/** The ids of the records that exist up to a position, by the event that opens them. */
function idsOf(events: readonly Recorded[], type: string, member: string): string[] {
  return events.flatMap((event) =>
    event.type === type ? [(event.data as Record<string, string>)[member]!] : [],
  )
}

interface Shown {
  readonly companyId: string
  /** One record of each kind, which may not exist at the position. */
  readonly ids: Readonly<Record<'certificate' | 'order' | 'plan' | 'bar' | 'tag', string>>
}

/** Return what callers are shown of the company in this snapshot. */
async function shown(reading: StreamReading, { companyId, ids }: Shown): Promise<object> {
  const filtered = [
    { list: certificateList, filterValues: {} },
    { list: liveCertificateList, filterValues: { blocked: true, q: ['MILL'] } },
    { list: orderList, filterValues: {} },
    { list: orderList, filterValues: { status: ['Completed', 'In Progress'] } },
    { list: barList, filterValues: {} },
    { list: barList, filterValues: { status: ['Draft', 'Started'] } },
  ]
  const lists = [
    ...(await Promise.all(
      filtered.map(({ list, filterValues }) => filteredList(list, reading, { companyId, filterValues })),
    )),
    ...families.flatMap((family) => [
      listTags(reading, { companyId, family, active: true }),
      listTags(reading, { companyId, family, active: false }),
      listAssignments(reading, { companyId, family }),
    ]),
    listPlans(reading, companyId),
  ]
  const records = [
    findCertificate(reading, companyId, ids.certificate),
    findOrder(reading, companyId, ids.order),
    findPlan(reading, companyId, ids.plan),
    findBar(reading, companyId, ids.bar),
    findTag(reading, { companyId, family: 'millCert', tagId: ids.tag }),
    findTrace(reading, { companyId, orderId: ids.order, pieceMark: null }),
  ]
  const rows = []
  for (const query of [...lists, ...records]) rows.push(await reading.query(query))
  const facts = findVerdictFacts(reading, { companyId, barId: ids.bar, tried: null })
  const [found] = await reading.query<FoundFacts>(facts)
  return { rows, verdict: found ? judge(completeFacts(found)) : undefined }
}

it('shows as of a position what a rebuild up to there shows', async () => {
  const [whole, rebuilt] = [
    await ensureSchema(postgres, randomUUID(), projections),
    await ensureSchema(postgres, randomUUID(), projections),
  ]
  const read = async <Value>(
    readModels: ReadModels,
    position: number | undefined,
    look: (reading: StreamReading) => Promise<Value>,
  ) => {
    const positions = { knownStates: new Map() }
    const reader = createReader({ postgres: patient(), readModels, positions, clock, streams: 1 })
    const { value } = await reader.read(judgedFrom, (snapshot) =>
      look(position === undefined ? snapshot : asOf(snapshot, readModels, position)),
    )
    return value
  }
  let verdicts = 0
  for (const { seed, companyId, events } of historiesWithBars()) {
    const chance = createChance(seed)
    await build(whole, events)
    const positions = Array.from({ length: positionsEach }, () =>
      chance.between(events[0]!.position - 1, events.at(-1)!.position + 1),
    )
    const forward = foldForward(events)
    for (const [n, position] of positions.toSorted((a, b) => a - b).entries()) {
      const where = `seed ${seed}, position ${position}`
      const rows = forward.to(position)
      expectEqual(await read(whole, position, rowsAsOf), rows, where)
      if (n % shownEach > 0) continue
      const until = events.filter((event) => event.position <= position)
      expectEqual(rows, rowsFolded(until), where)
      await build(rebuilt, until)
      const idOf = (type: string, member: string) => {
        const [then, ever] = [idsOf(until, type, member), idsOf(events, type, member)]
        return chance.pick(then.length > 0 ? then : ever)
      }
      const ids = {
        certificate: idOf('MillCertificateRegistered', 'millCertificationId'),
        order: idOf('OrderRegistered', 'orderId'),
        plan: idOf('ProductionPlanCreated', 'planId'),
        bar: idOf('BarOpened', 'barId'),
        tag: idOf('TagCreated', 'tagId'),
      }
      const look = (reading: StreamReading) => shown(reading, { companyId, ids })
      const then = await read(rebuilt, undefined, look)
      expect(await read(whole, position, look), where).toEqual(then)
      if ('verdict' in then && then.verdict) verdicts += 1
    }
  }
  expect(verdicts).toBeGreaterThan(0)
}, 3_600_000)

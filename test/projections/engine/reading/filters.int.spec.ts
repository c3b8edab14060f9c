import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { barStatuses } from '../../../../src/domain/bars/barEvents.ts'
import { certificateStatuses } from '../../../../src/domain/certificates/certificateStatus.ts'
import type { DomainEvent } from '../../../../src/domain/kernel/event.ts'
import { millCertificationIdOf, orderIdOf } from '../../../../src/domain/kernel/identifiers.ts'
import { nearKey, normalise } from '../../../../src/domain/kernel/spellings.ts'
import { lineItemStatuses } from '../../../../src/domain/orders/lineItemStatus.ts'
import type { Family } from '../../../../src/domain/tags/tag.ts'
import { clock } from '../../../../src/lib/clocks.ts'
import { projections } from '../../../../src/projections/all.ts'
import { barList } from '../../../../src/projections/bars/productionQueries.ts'
import {
  certificateList,
  liveCertificateList,
} from '../../../../src/projections/certificates/certificates.ts'
import {
  countOf,
  type FilterableList,
  filteredList,
} from '../../../../src/projections/engine/reading/filteredList.ts'
import type { FilterValues } from '../../../../src/projections/engine/reading/filters.ts'
import type { Page } from '../../../../src/projections/engine/reading/listQuery.ts'
import { createReader, type Reader, type Reading } from '../../../../src/projections/engine/reading/reader.ts'
import type { ReadModels } from '../../../../src/projections/engine/schema/readModels.ts'
import { ensureSchema } from '../../../../src/projections/engine/schema/schema.ts'
import { orderList } from '../../../../src/projections/orders/orderQueries.ts'
import { orders } from '../../../../src/projections/orders/orders.ts'
import { orderIdentity, orderRegistered } from '../../../domain/verdict/facts.ts'
import { id, recorded, timeOf } from '../../../support/given.ts'
import { ownDatabase } from '../../../support/postgres.ts'
import { sized } from '../../../support/size.ts'
import { foldInMemory } from '../../foldInMemory.ts'
import { writeRows } from '../../tables.ts'
import { happenedIn, pools, tagIdsOf, type Yard, yards } from '../../yard.ts'

/** A filtered list has exactly the records that match, whichever index leads to them and however it is paged. */

const runs = sized(12, 200)

const { postgres } = await ownDatabase()
let readModels: ReadModels
let reader: Reader
beforeAll(async () => {
  readModels = await ensureSchema(postgres, randomUUID(), projections)
  reader = createReader({ postgres, readModels, positions: { knownStates: new Map() }, clock, streams: 1 })
})

// biome-ignore lint/suspicious/noExplicitAny: a record of any list.
type Listed = any

/** The filters of a list, each with values to ask for and what it means. */
type Meanings = Readonly<
  Record<
    string,
    {
      values: fc.Arbitrary<FilterValues[string]>
      /** The value to ask for in a company, whose records have ids of their own. */
      within?: (companyId: string, value: never) => string
      matches: (one: Listed, value: never, events: readonly DomainEvent[]) => boolean
    }
  >
>

const sameNumber = (a: string) => (b: string) => normalise(a) === normalise(b)

const since = fc.nat(120).map(timeOf)

const subjectMeanings = (family: Family): Meanings => ({
  tagId: {
    values: fc.constantFrom(...tagIdsOf(family)),
    matches: (one, value) => one.tags.some(({ tagId }: { tagId: string }) => tagId === value),
  },
  blocked: { values: fc.boolean(), matches: (one, value) => one.blocked === value },
  updatedSince: { values: since, matches: (one, value: string) => one.updatedAt >= value },
})

/** Starts of words, as `q` compares them. */
const starts = fc.subarray(
  ['M', 'MC', '0001', '4711', 'S', 'STRASSE', 'H', 'SALZ', 'SO', '2026', '%', '2', 'NONE'],
  {
    minLength: 1,
    maxLength: 2,
  },
)
const hasWords = (words: readonly string[], ...texts: (string | null)[]) => {
  const found = texts.flatMap((text) => normalise(text ?? '').split(/ |-|\/|\./))
  const numbers = texts.filter((text) => /\d/.test(text ?? ''))
  const joined = numbers.map((text) => normalise(text!).replaceAll(/ |-|\/|\./g, ''))
  return (
    words.every((start) => [...found, ...joined].some((word) => word.startsWith(start))) ||
    [...found, ...joined].some((word) => word.startsWith(words.join('')))
  )
}

const profile: Meanings[string] = {
  values: fc.constantFrom('HEA 200', 'S 2'),
  matches: (one, value) => one.profile === value,
}

const barsOf = (events: readonly DomainEvent[]) =>
  events.filter(({ type }) => type === 'BarOpened').map(({ data }) => data as Listed)
const isFor = ({ cuts }: Listed, value: string) =>
  cuts.some(({ orderId }: { orderId: string }) => orderId === value)

const days = fc.constantFrom('2026-04-29', '2026-04-30', '2026-05-31')
const isDue = ({ dueDate }: Listed, day: string) => dueDate !== null && dueDate <= day

const certificateMeanings: Meanings = {
  q: {
    values: starts,
    matches: (one, words: readonly string[]) =>
      hasWords(words, one.certificateNumber, one.heatNumber, one.manufacturer) ||
      nearKey(one.heatNumber) === nearKey(words.join('')),
  },
  ...subjectMeanings('millCert'),
  certificateNumber: {
    values: fc.constantFrom(...pools.certificateNumbers).map(normalise),
    matches: (one, value) => sameNumber(one.certificateNumber)(value),
  },
  heatNumber: {
    values: fc.constantFrom(...pools.heatNumbers).map(normalise),
    matches: (one, value) => sameNumber(one.heatNumber)(value),
  },
  heatLike: {
    values: fc.constantFrom(...pools.heatNumbers).map(nearKey),
    matches: (one, value) => nearKey(one.heatNumber) === value,
  },
  grade: { values: fc.constantFrom(...pools.grades), matches: (one, value) => one.grade === value },
  profile,
  orderId: {
    values: fc.constantFrom(...pools.orderNumbers),
    within: orderIdOf,
    matches: ({ millCertificationId: of }, value, events) =>
      barsOf(events).some((bar) => bar.millCertificationId === of && isFor(bar, value)),
  },
  manufacturer: {
    values: fc.constantFrom('Salzgitter Flachstahl', 'SALZGITTER', 'nobody'),
    matches: (one, value) => one.manufacturer === value,
  },
  purchaseOrder: {
    values: fc.constantFrom('PO 7', 'po 7'),
    matches: (one, value) => one.purchaseOrder === value,
  },
  inspectionDocument: {
    values: fc.constantFrom(...pools.documents),
    matches: (one, value) => one.inspectionDocument === value,
  },
  status: {
    values: fc.subarray([...certificateStatuses], { minLength: 1 }),
    matches: (one, value: readonly string[]) => value.includes(one.status),
  },
}

const orderMeanings: Meanings = {
  q: {
    values: starts,
    matches: (one, words: readonly string[]) => hasWords(words, one.orderNumber, one.customer),
  },
  ...subjectMeanings('order'),
  status: {
    values: fc.subarray([...lineItemStatuses], { minLength: 1 }),
    matches: (one, value: readonly string[]) =>
      one.lineItems.some(({ status }: { status: string }) => value.includes(status)),
  },
  orderNumber: {
    values: fc.constantFrom(...pools.orderNumbers).map(normalise),
    matches: (one, value) => sameNumber(one.orderNumber)(value),
  },
  customer: {
    values: fc.constantFrom('Bridge & Beam', 'Stahlbau-Süd'),
    matches: (one, value) => one.customer === value,
  },
  dueBy: { values: days, matches: isDue },
}

/** The texts of a bar by which it is found: its own, and those of its certificate and its orders. */
function textsOf(bar: Listed, events: readonly DomainEvent[]): readonly (readonly (string | null)[])[] {
  const registered = (type: string, name: string, value: string) =>
    events.flatMap((event): Listed[] =>
      event.type === type && (event.data as Listed)[name] === value ? [event.data] : [],
    )
  const of = bar.millCertificationId
  return [
    ['Plan', bar.profile],
    ...registered('MillCertificateRegistered', 'millCertificationId', of).map((one) => [
      one.certificateNumber,
      one.heatNumber,
      one.manufacturer,
    ]),
    ...bar.cuts.flatMap(({ orderId }: Listed) =>
      registered('OrderRegistered', 'orderId', orderId).map((one) => [one.orderNumber, one.customer]),
    ),
  ]
}

const barMeanings: Meanings = {
  q: {
    values: starts,
    matches: (one, words: readonly string[], events) => {
      const texts = textsOf(one, events)
      const isFound = (word: string) => texts.some((some) => hasWords([word], ...some))
      const heats = texts.slice(1).flatMap(([, heat]) => heat ?? [])
      return (
        words.every(isFound) ||
        isFound(words.join('')) ||
        heats.some((heat) => nearKey(heat) === nearKey(words.join('')))
      )
    },
  },
  status: {
    values: fc.subarray([...barStatuses], { minLength: 1 }),
    matches: (one, value: readonly string[]) => value.includes(one.status),
  },
  grade: { values: fc.constantFrom('S355J2', 'S235JR'), matches: (one, value) => one.grade === value },
  profile,
  heatNumber: {
    values: fc.constantFrom(...pools.heatNumbers).map(normalise),
    matches: (one, value, events) =>
      textsOf(one, events).some(([, heat]) => heat !== null && heat !== undefined && sameNumber(heat)(value)),
  },
  planId: { values: fc.constantFrom(id(50), id(51)), matches: (one, value) => one.planId === value },
  barId: { values: fc.constantFrom(id(100), id(101)), matches: (one, value) => one.barId === value },
  millCertificationId: {
    values: fc.tuple(fc.constantFrom(...pools.certificateNumbers), fc.constantFrom(...pools.heatNumbers)),
    within: (companyId, [certificateNumber, heatNumber]: [string, string]) =>
      millCertificationIdOf(companyId, certificateNumber, heatNumber),
    matches: (one, value) => one.millCertificationId === value,
  },
  orderId: {
    values: fc.constantFrom(...pools.orderNumbers),
    within: orderIdOf,
    matches: isFor,
  },
  dueBy: {
    values: days,
    matches: ({ cuts }, value: string, events) =>
      events.some(
        ({ type, data }) =>
          type === 'OrderRegistered' &&
          isDue(data, value) &&
          cuts.some(
            ({ orderId, status }: Listed) => status !== 'Rejected' && orderId === (data as Listed).orderId,
          ),
      ),
  },
  withdrawn: { values: fc.boolean(), matches: (one, value) => (one.withdrawal !== null) === value },
  held: {
    values: fc.boolean(),
    matches: (one, value) => one.cuts.some(({ held }: { held: boolean }) => held) === value,
  },
  updatedSince: {
    values: since,
    // A bar does not show when it changed last: the times of the events count up.
    matches: ({ barId }, value: string, events) => {
      const isOn = ({ data }: DomainEvent) => {
        const { barId: one, barIds = [one] } = data as { barId?: string; barIds?: (string | undefined)[] }
        return barIds.includes(barId)
      }
      return timeOf(events.findLastIndex(isOn)) >= value
    },
  },
}

const lists: { name: string; ways: readonly FilterableList[]; meanings: Meanings }[] = [
  { name: 'certificates', ways: [certificateList, liveCertificateList], meanings: certificateMeanings },
  { name: 'orders', ways: [orderList], meanings: orderMeanings },
  { name: 'bars', ways: [barList], meanings: barMeanings },
]

/** Write the rows of the yard, and look at them. */
async function inYard<Value>(
  yard: Yard,
  look: (reading: Reading, companyId: string, events: readonly DomainEvent[]) => Promise<Value>,
): Promise<Value> {
  const { companyId, events } = happenedIn(yard)
  for (const projection of projections)
    await writeRows(postgres, readModels, projection, foldInMemory(projection, recorded(events)))
  return (await reader.read(projections, (reading) => look(reading, companyId, events))).value
}

it.each(lists)(
  'finds the $name that match every filter, whole and page by page',
  async ({ ways, meanings }) => {
    expect(Object.keys(meanings).sort()).toEqual(Object.keys(ways[0]!.filters).sort())
    // Some requests see fewer of the rows.
    const oneOf = fc.constantFrom(...ways)
    const limits = fc.integer({ min: 1, max: 5 })
    const one = Object.entries(meanings).map(([name, { values }]) => fc.record({ [name]: values }))
    const several = fc.record(
      Object.fromEntries(Object.entries(meanings).map(([name, { values }]) => [name, values])),
      { requiredKeys: [] },
    )
    const filterValues = fc.oneof(fc.oneof(...one), several)
    await fc.assert(
      fc.asyncProperty(yards, oneOf, filterValues, limits, (yard, list, values, limit) =>
        inYard(yard, async (reading, companyId, events) => {
          const wanted: FilterValues = Object.fromEntries(
            Object.entries(values).map(([name, value]) => {
              const { within } = meanings[name]!
              return [name, within ? within(companyId, value as never) : value]
            }),
          )
          const ask = async (filterValues: FilterValues, page: Page = {}) => {
            const query = await filteredList(list, reading, { companyId, filterValues }, page)
            return reading.query<{ sortKey: (string | number)[] }>(query)
          }
          const all = await ask({})
          const expected = all.filter((one) =>
            Object.entries(wanted).every(([name, value]) =>
              meanings[name]!.matches(one, value as never, events),
            ),
          )
          expect(await ask(wanted)).toEqual(expected)
          expect(await countOf(list, reading, { companyId, filterValues: wanted })).toBe(expected.length)
          expect(await ask(wanted, { limit })).toEqual(expected.slice(0, limit))

          const paged: unknown[] = []
          let after: (string | number)[] | undefined
          for (;;) {
            const rows = await ask(wanted, { after, limit: limit + 1 })
            const page = rows.slice(0, limit)
            paged.push(...page)
            after = rows.length > limit ? page.at(-1)!.sortKey : undefined
            if (!after) break
            expect(after).not.toContain(null)
          }
          expect(paged).toEqual(expected)
        }),
      ),
      { numRuns: runs },
    )
  },
  600_000,
)

it('finds the words of a customer whose characters have a meaning in the query language of PostgreSQL', async () => {
  const registered = orderRegistered()
  const data = { ...registered.data, customer: String.raw`O'Neil A\B X&Y (Z|!W):*` }
  const rows = foldInMemory(orders, recorded([{ ...registered, data } as DomainEvent]))
  await writeRows(postgres, readModels, orders, rows)
  const { companyId } = orderIdentity
  const find = async (word: string) => {
    const { value } = await reader.read(projections, async (reading) =>
      reading.query(await filteredList(orderList, reading, { companyId, filterValues: { q: [word] } })),
    )
    return value.length
  }
  for (const word of ["O'NEIL", "O'", String.raw`A\B`, 'A\\', 'X&Y', '(Z|!W):*', '(Z'])
    expect(await find(word), word).toBe(1)
  for (const word of ["O'NEILL", "'", String.raw`A\C`, 'B', 'Y', 'Z', '!X', ':*'])
    expect(await find(word), word).toBe(0)
})

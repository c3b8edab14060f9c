import { expect, it } from 'vitest'
import { readWhole } from '../../../../src/http/kit/lists/readList.ts'
import type { ListRequest } from '../../../../src/http/kit/lists/streamList.ts'
import type { Services } from '../../../../src/http/kit/services.ts'
import type { Page } from '../../../../src/projections/engine/reading/listQuery.ts'

/** Read a list of so many rows, and return what was asked for and the number of rows that were read. */
async function read(rows: number, rowsAtOnce?: number) {
  const asked: (Page & { portions?: true })[] = []
  const found = ({ after, limit = rows }: Page) => {
    const from = after ? Number(after[0]) + 1 : 0
    return Array.from({ length: Math.min(limit, rows - from) }, (_, at) => ({ sortKey: [from + at] }))
  }
  const reading = {
    async query({ values: [page] }: { values: Page[] }) {
      asked.push(page!)
      return found(page!)
    },
    async *portions({ values: [page] }: { values: Page[] }) {
      asked.push({ ...page, portions: true })
      yield found(page!)
    },
  }
  const reader = {
    read: async (_: unknown, look: (from: object) => unknown) => ({ value: await look(reading) }),
  }
  const list = {
    reads: [],
    rowsAtOnce,
    check: async () => {},
    rows: async (_: unknown, page: Page) => ({ text: '', values: [page] }),
    complete: async (_: unknown, some: unknown) => some,
  }
  const services = { reader } as unknown as Services
  const { value } = await readWhole(list as unknown as ListRequest, services)
  return { asked, rows: value === 'large' ? value : JSON.parse(value.bytes.toString()).length }
}

it.each<[number, number | undefined, object[]]>([
  [99, undefined, [{ limit: 100 }]],
  [250, undefined, [{ limit: 100 }, { after: [99], portions: true }]],
  [250, 1_000, [{ limit: 1_000 }]],
  [1_500, 1_000, [{ limit: 1_000 }, { after: [999], portions: true }]],
])('reads all of %i rows, of which one query may read %s', async (rows, rowsAtOnce, asked) => {
  expect(await read(rows, rowsAtOnce)).toEqual({ rows, asked })
})

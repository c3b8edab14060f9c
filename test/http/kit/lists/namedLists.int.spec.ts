import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { routes } from '../../../../src/http/routes.ts'
import type { StreamReading } from '../../../../src/projections/engine/reading/reader.ts'
import { call } from '../../../support/call.ts'
import { type HttpService, readerOf, startHttp } from '../../../support/http.ts'
import { startIdentityProvider } from '../../../support/identity.ts'
import { own } from '../../../support/own.ts'

/** Lists that show names look them up in the statement that reads the rows. */

let service: HttpService
let token: string
let statements: string[]
const identity = await own(startIdentityProvider())
beforeAll(async () => {
  const reading: StreamReading = {
    position: 0,
    storeId: randomUUID(),
    table: (_, table) => `read_model.${table}`,
    requireRunning: () => {},
    lack: async () => undefined,
    query: async <Row>({ text }: { text: string }) => {
      statements.push(text)
      // The tag exists, and nothing else does.
      return (text.includes('LIMIT') ? [] : [{}]) as Row[]
    },
    async *portions() {},
  }
  service = await startHttp({
    identity,
    routes,
    members: () => ['Admin'],
    reader: readerOf({
      read: async (_, look) => ({ value: await look(reading), position: 0 }),
      stream: (_company, _projections, look) => look(reading),
    }),
  })
  token = await identity.token({ oid: 'ada' })
})
afterAll(() => service.close())
beforeEach(() => {
  statements = []
})

const company = `/api/company/${randomUUID()}`

it.each([
  ['the members', 'members', ['heatmark_local.person']],
  [
    'the history of a tag',
    `millcert-tags/${randomUUID()}/history`,
    ['read_model.tag', 'heatmark_local.person'],
  ],
])('reads %s with the names in one statement, whole or in pages', async (_, path, reads) => {
  for (const page of ['', '?limit=50']) {
    statements = []
    expect(await call('GET', `${service.url}${company}/${path}${page}`, { token })).toMatchObject({
      status: 200,
      body: [],
    })
    expect(statements).toEqual(reads.map((table) => expect.stringContaining(table)))
  }
})

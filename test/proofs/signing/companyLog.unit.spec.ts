import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import type { StreamReading } from '../../../src/projections/engine/reading/reader.ts'
import { createCompanyLog } from '../../../src/proofs/signing/companyLog.ts'

/** The log of a company whose read model is empty. The specs of its routes have the rest. */

it('signs nothing for the proof of an event that it does not have', async () => {
  const asked: string[] = []
  const unwanted = (what: string) => () => {
    asked.push(what)
    throw new Error(`${what} was not wanted`)
  }
  const empty = { storeId: randomUUID(), position: 7, table: () => 'log', query: async () => [] }
  const companyLog = createCompanyLog({
    storeId: empty.storeId,
    keys: { own: unwanted('the key') },
    postgres: { query: unwanted('the last checkpoint') },
    eventStore: {
      readAllFrom: unwanted('the events'),
      readAllInPortions: unwanted('all events'),
      eventAt: unwanted('an event'),
    },
    reader: {
      read: async (_projections, look) => ({
        value: await look(empty as unknown as StreamReading),
        position: empty.position,
      }),
    },
    positions: { waitFor: async () => true },
  })
  await expect(companyLog.proof(randomUUID(), randomUUID())).rejects.toMatchObject({
    code: 'event-not-found',
  })
  expect(asked).toEqual([])
})

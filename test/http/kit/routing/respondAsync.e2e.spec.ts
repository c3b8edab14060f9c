import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { beforeAll, expect, it } from 'vitest'
import { type ClusterNode, startCluster, untilServing } from '../../../support/cluster.ts'
import { own } from '../../../support/own.ts'
import { createDatabase } from '../../../support/postgres.ts'
import { startStore } from '../../../support/store.ts'

/** A caller who prefers `respond-async` gets answers while no projector runs. What they acknowledge survives a kill. */

let complete: ClusterNode
let doomed: ClusterNode
const eventStore = await own(startStore())
const database = await own(createDatabase())
const cluster = await own(startCluster({ eventStoreUrl: eventStore.url, databaseUrl: database.url }))
beforeAll(async () => {
  complete = await cluster.start()
  doomed = await cluster.start({ PROCESS_ROLES: 'http' })
  await untilServing(doomed)
})

const numbers = Array.from({ length: 20 }, (_, n) => `SO-${n}`)
const orderOf = (orderNumber: string) => ({
  orderNumber,
  lineItems: [{ lineNumber: 1, lengthMm: 1_000, quantity: 1 }],
})
const headers = { prefer: 'respond-async' }

async function sendInBulk(node: ClusterNode, lines: readonly object[]) {
  const sent = request(`${node.url}/api/company/${cluster.companyId}/orders/bulk`, {
    method: 'POST',
    headers: {
      ...headers,
      authorization: `Bearer ${await cluster.freshToken('planner')}`,
      'content-type': 'application/x-ndjson',
    },
  }).end(lines.map((line) => JSON.stringify(line)).join('\n'))
  const [answer] = await once(sent, 'response')
  const statuses = (await text(answer)).trim().split('\n')
  return { statuses: statuses.map((line) => JSON.parse(line).status), trailers: answer.trailers }
}

it('loses nothing that was acknowledged, one by one or in bulk, when the service is killed', async () => {
  await complete.end()
  const answers = await Promise.all(
    numbers.map((number) => doomed.send('planner', 'POST', 'orders', { headers, body: orderOf(number) })),
  )
  const bulk = await sendInBulk(
    doomed,
    numbers.map((number) => orderOf(`bulk-${number}`)),
  )
  await doomed.end('SIGKILL')

  expect(answers.map(({ status }) => status)).toEqual(numbers.map(() => 201))
  expect(new Set(answers.map((answer) => answer.headers.get('projection-status')))).toEqual(
    new Set(['pending']),
  )
  expect(bulk.statuses).toEqual(numbers.map(() => 201))
  expect(bulk.trailers).toEqual({
    'commit-position': expect.stringMatching(/^\d+$/),
    'projection-status': 'pending',
  })

  const restarted = await cluster.start()
  const shown = await restarted.send('planner', 'GET', 'orders?limit=200', {
    headers: { 'min-position': bulk.trailers['commit-position']! },
  })
  expect(shown.body.map(({ orderNumber }: { orderNumber: string }) => orderNumber).toSorted()).toEqual(
    [...numbers, ...numbers.map((number) => `bulk-${number}`)].toSorted(),
  )
})

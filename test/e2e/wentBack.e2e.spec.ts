import { randomUUID } from 'node:crypto'
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { registerCompany } from '../../src/commands/company/companies.ts'
import { startNode, type TestNode, temporaryFolder } from '../support/node.ts'
import { startTestService, type TestService } from '../support/testService.ts'
import { until } from '../support/until.ts'

/** The store is replaced by an older copy of itself, so it is always a local one. */

const folder = temporaryFolder()
const dbFile = join(folder, 'store', 'events.db')
let node: TestNode
let service: TestService
beforeAll(async () => {
  mkdirSync(dirname(dbFile))
  node = await startNode({ dbFile })
  service = await startTestService({ EVENTSTORE_URL: node.url })
})

afterAll(async () => {
  await service?.stop()
  await node?.stop()
  rmSync(folder, { recursive: true })
})

function create(name: string) {
  return service.send('editor', 'POST', 'millcert-tags', { body: { name, color: '#123456' } })
}

async function names() {
  const { status, body } = await service.send('viewer', 'GET', 'millcert-tags')
  expect(status).toBe(200)
  return body.map(({ name }: { name: string }) => name)
}

async function ready() {
  return (await fetch(`${service.url}/health/ready`)).json() as Promise<{ notReady?: string[] }>
}

/** Stop the store, change its files, and start it again at the same address. */
async function whileStopped(work: () => void) {
  await node.kill('SIGTERM')
  work()
  node = await startNode({ dbFile, port: node.port })
}

function copy(from: string, to: string) {
  rmSync(join(folder, to), { recursive: true, force: true })
  cpSync(join(folder, from), join(folder, to), { recursive: true })
}

it('serves reads from a rewound store but records nothing, until the right store is back', async () => {
  expect((await create('Before')).status).toBe(201)
  await whileStopped(() => copy('store', 'older'))
  await until(async () => (await create('After')).status === 201)

  await whileStopped(() => {
    copy('store', 'newer')
    copy('older', 'store')
  })
  // No command may be acknowledged, whether or not the node has noticed yet.
  await until(async () => {
    const { status, body } = await create('Mixed')
    expect(status).toBe(503)
    return body.code === 'event-store-went-back'
  })
  await until(async () => (await ready()).notReady?.includes('event store'))
  const { body: shown } = await service.send('operator', 'GET', '/api/ops/projections')
  expect(new Set(shown.map(({ status }: { status: string }) => status))).toEqual(new Set(['went-back']))
  expect(await create('Mixed')).toMatchObject({ status: 503, body: { code: 'event-store-went-back' } })
  // The other parts of this process, such as rule evaluation, must not record either.
  const another = registerCompany(randomUUID(), 'Mixed')
  const context = { actor: { id: 'spec', name: 'Spec', kind: 'service' }, correlationId: 'spec' } as const
  await expect(service.executor.execute(another, context)).rejects.toMatchObject({
    code: 'event-store-went-back',
  })
  expect(await names()).toEqual(['After', 'Before'])

  await whileStopped(() => copy('newer', 'store'))
  await until(async () => (await create('Again')).status === 201)
  await until(async () => (await ready()).notReady === undefined)
  expect(await names()).toEqual(['After', 'Again', 'Before'])
})

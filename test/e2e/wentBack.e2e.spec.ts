import { randomUUID } from 'node:crypto'
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { registerCompany } from '../../src/commands/companies.ts'
import { startNode, type TestNode, temporaryFolder } from '../support/node.ts'
import { startTestService, type TestService } from '../support/testService.ts'
import { until } from '../support/until.ts'

/** A store that is put back to an older copy of itself: always a local one. */

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

/** Stops the store, does something to its files, and starts it again where it was. */
async function whileStopped(work: () => void) {
  await node.kill('SIGTERM')
  work()
  node = await startNode({ dbFile, port: node.port })
}

function copy(from: string, to: string) {
  rmSync(join(folder, to), { recursive: true, force: true })
  cpSync(join(folder, from), join(folder, to), { recursive: true })
}

it('is read on, but nothing is recorded in it, until the right one is back', async () => {
  expect((await create('Before')).status).toBe(201)
  await whileStopped(() => copy('store', 'older'))
  await until(async () => (await create('After')).status === 201)

  await whileStopped(() => {
    copy('store', 'newer')
    copy('older', 'store')
  })
  // Whether or not anybody has noticed yet, nobody is told that it is recorded.
  await until(async () => {
    const { status, body } = await create('Mixed')
    expect(status).toBe(503)
    return body.code === 'event-store-went-back'
  })
  await until(async () => (await ready()).notReady?.includes('event store'))
  const { body: shown } = await service.send('operator', 'GET', '/api/ops/projections')
  expect(new Set(shown.map(({ status }: { status: string }) => status))).toEqual(new Set(['went-back']))
  expect(await create('Mixed')).toMatchObject({ status: 503, body: { code: 'event-store-went-back' } })
  // Nor by whatever else this process does, such as evaluating rules.
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

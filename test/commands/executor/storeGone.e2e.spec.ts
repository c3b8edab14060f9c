import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { registerCertificate } from '../../../src/commands/certificates/certificates.ts'
import type { Outcome } from '../../../src/commands/executor/command.ts'
import { createTag } from '../../../src/commands/tags/tags.ts'
import { millCertificateKey, millCertificateStream } from '../../../src/domain/certificates/certificate.ts'
import type { Refusal } from '../../../src/domain/kernel/refusal.ts'
import { catalogueStream } from '../../../src/domain/tags/tagCatalogue.ts'
import { connectEventStore } from '../../../src/stores/eventStoreDb/connect.ts'
import { certificateContent, tagContent } from '../../domain/verdict/facts.ts'
import { startNode, type TestNode, temporaryFolder } from '../../support/node.ts'
import { startProxy } from '../../support/proxy.ts'
import { until } from '../../support/until.ts'
import { connectNode, context, eventsOf, keyed, refusalOf } from '../nodes.ts'

/* The store is spoilt here: a local node in any case, behind a proxy or killed. */

let node: TestNode
let proxy: Awaited<ReturnType<typeof startProxy>>
let folder: string
let through: ReturnType<typeof connectNode>
let direct: ReturnType<typeof connectEventStore>
beforeAll(async () => {
  folder = temporaryFolder()
  node = await startNode({ dbFile: join(folder, 'events.db') })
  proxy = await startProxy(node.url)
  direct = connectEventStore(node.url)
})

beforeEach(() => {
  proxy.accept()
  through = connectNode(proxy.url)
})

afterEach(() => through.end())

afterAll(async () => {
  await direct.close()
  await proxy.close()
  await node.stop()
  rmSync(folder, { recursive: true, force: true })
})

function yard() {
  const companyId = randomUUID()
  const create = (name: string) => createTag(companyId, 'millCert', tagContent({ name }))
  return { create, events: () => eventsOf(direct, catalogueStream(companyId)) }
}

it('answers that nothing was recorded while the store is unreachable, and works again afterwards', async () => {
  const { create, events } = yard()
  await through.execute(create('Hold'), context)
  proxy.refuse()
  // The first append may still go into the connection that was just cut, so its outcome is unknown.
  await refusalOf(through.execute(create('Retest'), keyed('k')))
  expect(await refusalOf(through.execute(create('Retest'), keyed('k')))).toBe('store-unavailable')
  expect(await refusalOf(through.execute(yard().create('Hold'), context))).toBe('store-unavailable')
  expect(await events()).toHaveLength(1)
  proxy.accept()
  await until(async () => (await refusalOf(through.execute(create('Retest'), keyed('k')))) === 'none')
  expect(await events()).toHaveLength(2)
})

it('retries with the same event ids when the answer is lost, and records once', async () => {
  const { create, events } = yard()
  await through.execute(create('Hold'), context)
  proxy.silence()
  const answer = through.execute(create('Retest'), context)
  await until(async () => (await events()).length === 2)
  proxy.cut()
  expect(await answer).toMatchObject({ body: { name: 'Retest' }, etag: 1, replayed: false })
  expect(await events()).toHaveLength(2)
})

it('answers that the outcome is unknown while the store is away, and a repeat under the key finds it', async () => {
  const { create, events } = yard()
  await through.execute(create('Hold'), context)
  proxy.silence()
  const answer = refusalOf(through.execute(create('Retest'), keyed('k')))
  await until(async () => (await events()).length === 2)
  proxy.refuse()
  expect(await answer).toBe('outcome-unknown')
  proxy.accept()
  let repeated: Outcome<unknown> | undefined
  await until(async () => {
    repeated = await through.execute(create('Retest'), keyed('k'))
    return true
  })
  expect(repeated).toMatchObject({ body: { name: 'Retest' }, etag: 1, replayed: true })
  expect(await events()).toHaveLength(2)
})

it('keeps every acknowledged command when the store is killed under load', async () => {
  const service = connectNode(node.url)
  const companyId = randomUUID()
  const register = (n: number) =>
    service.execute(
      registerCertificate(companyId, { certificateNumber: `MC ${n}`, heatNumber: 'H' }, certificateContent()),
      keyed(`key ${n}`),
    )
  // Each of many callers sends one command after another, until one is refused.
  const said: string[] = []
  let asked = 0
  const caller = async () => {
    for (let refused = false; !refused; ) {
      const n = asked++
      const answer = await register(n).catch(({ code }: Refusal) => code)
      refused = typeof answer === 'string'
      said[n] = typeof answer === 'string' ? answer : answer.body.millCertificationId
    }
  }
  const callers = Array.from({ length: 16 }, caller)
  await until(() => asked >= 100)
  await node.kill('SIGKILL')
  await Promise.all(callers)
  node = await startNode({ dbFile: node.dbFile, port: node.port })

  // The same node on the same connection, without a restart of the service.
  await until(async () => (await register(0)).position > 0)
  const repeated = await Promise.all(said.map((_, n) => register(n)))
  for (const [n, before] of said.entries()) {
    const { body, replayed } = repeated[n]!
    if (before === 'store-unavailable') expect(replayed).toBe(false)
    else if (before !== 'outcome-unknown')
      expect({ id: body.millCertificationId, replayed }).toEqual({ id: before, replayed: true })
    const stream = millCertificateStream(millCertificateKey(companyId, body.millCertificationId))
    expect(await eventsOf(direct, stream)).toHaveLength(1)
  }
  const refusals = ['store-unavailable', 'outcome-unknown']
  expect(said.filter((answer) => refusals.includes(answer))).toHaveLength(callers.length)
  await service.end()
})

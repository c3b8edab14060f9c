import { createHash, randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Recorded } from '../../../src/domain/kernel/event.ts'
import { entryOf } from '../../../src/proofs/merkleLog/entry.ts'
import { noStream } from '../../../src/stores/eventStore.ts'
import { connectEventStore } from '../../../src/stores/eventStoreDb/connect.ts'
import { connectPostgres } from '../../../src/stores/postgres/postgres.ts'
import { isConsistent, isIncluded } from '../../proofs/signing/verifyProof.ts'
import { own } from '../../support/own.ts'
import { startTestService } from '../../support/testService.ts'
import { type Company, newCompany, type Person } from '../people.ts'

/** The log of a company, as its routes give it, checked by code that shares nothing with the service. */

let company: Company
let auditor: Person
const ofOthers: string[] = []
const service = await own(startTestService())
const store = await own(connectEventStore(service.settings.EVENTSTORE_URL!))
const postgres = await own(connectPostgres({ url: service.settings.DATABASE_URL!, name: 'spec', size: 1 }))
beforeAll(async () => {
  const other = await newCompany(service, 'Otto Other')
  await other.createTag(other.admin)
  company = await newCompany(service)
  auditor = await company.admit('Aurel Auditor', ['Auditor'])
  const events = Array.from({ length: 300 }, (_, n) => ({
    id: randomUUID(),
    type: `Scanned${n}`,
    data: { n },
    metadata: { note: 'ü' },
  }))
  await store.append(`scans-${company.companyId}`, noStream, events as never)
  for await (const event of store.readAll(0))
    if (event.streamName.includes(other.companyId)) ofOthers.push(event.id)
})

async function answerOf(path: string): Promise<Response> {
  const token = await service.identity.token({ oid: auditor.userId })
  const position = (await store.last())!.position
  const response = await fetch(`${service.url}/api/company/${company.companyId}/history/log/${path}`, {
    headers: { authorization: `Bearer ${token}`, 'min-position': String(position) },
  })
  expect(response.status, path).toBe(200)
  return response
}

async function bytesOf(path: string): Promise<Buffer> {
  return Buffer.from(await (await answerOf(path)).arrayBuffer())
}

const headIn = (note: string) => {
  const [origin, size, root] = note.split('\n')
  return { origin, size: Number(size), root: root! }
}
const leafOf = (entry: Buffer | string) =>
  createHash('sha256').update(Buffer.of(0)).update(entry).digest().toString('base64')

async function eventsOfCompany() {
  const events = []
  for await (const event of store.readAll(0))
    if (event.streamName.includes(company.companyId)) events.push(event)
  return events
}

it('answers 503 on every route of the history to a Min-Position that is not reached', async () => {
  const headers = { 'min-position': String(Number.MAX_SAFE_INTEGER) }
  const hasty = await service.startAnother({}, { minPositionWithinMs: 50 })
  const at = (path: string) => `${hasty.url}/api/company/${company.companyId}/${path}`
  const log = ['checkpoint', `proof/${ofOthers[0]}`, 'consistency?from=1&to=1', 'tile/0/000.p/1', 'anchors']
  const answers = await Promise.all([
    ...log.map((path) => auditor.send('GET', at(`history/log/${path}`), { headers })),
    ...['application/zip', 'application/x-ndjson'].map((accept) =>
      auditor.send('GET', at('audit/export'), { headers: { ...headers, accept } }),
    ),
  ])
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
    answers.map(() => [503, 'read-model-behind']),
  )
  await hasty.stop()
})

describe('the log', () => {
  it('has tiles that a browser keeps for ever, but for nobody else', async () => {
    const { headers } = await answerOf('tile/0/000')
    expect(headers.get('cache-control')).toBe('private, max-age=31536000, immutable')
    expect(headers.get('vary')).toBe('Authorization, Service-Api-Key, Cookie')
  })

  it('has every event of the company, in the order of the store, behind a signed checkpoint', async () => {
    const events = await eventsOfCompany()
    const { origin, size, root } = headIn(String(await bytesOf('checkpoint')))
    expect(origin).toMatch(new RegExp(`^heatmark/[0-9a-f-]{36}/${company.companyId}$`))
    expect(size).toBe(events.length)
    const tile = Buffer.concat([await bytesOf('tile/0/000'), await bytesOf(`tile/0/001.p/${size - 256}`)])
    expect(tile).toEqual(Buffer.concat(events.map((event) => Buffer.from(leafOf(entryOf(event)), 'base64'))))
    const above = await bytesOf('tile/1/000.p/1')
    const proof = JSON.parse(String(await bytesOf(`consistency?from=256&to=${size}`)))
    expect(proof).toMatchObject({ from: 256, to: size })
    expect(
      isConsistent({
        size1: 256,
        size2: size,
        root1: above.toString('base64'),
        root2: root,
        proof: proof.proof,
      }),
    ).toBe(true)
  })

  it('gives the entries themselves', async () => {
    const events = await eventsOfCompany()
    let bundle = Buffer.concat([
      await bytesOf('tile/entries/000'),
      await bytesOf(`tile/entries/001.p/${events.length - 256}`),
    ])
    const entries: string[] = []
    while (bundle.length > 0) {
      const end = 2 + bundle.readUInt16BE(0)
      entries.push(bundle.subarray(2, end).toString())
      bundle = bundle.subarray(end)
    }
    expect(entries).toEqual(events.map((event) => entryOf(event)))
  })

  /** Expect a proof of the event with this index, and return the size of its checkpoint. */
  function checkProof(text: string, events: readonly Recorded[], leafIdx: number): number {
    const [lines, note] = text.split(/\n\n(.*)/s) as [string, string]
    const [first, index, ...proof] = lines.split('\n')
    expect([first, index]).toEqual(['c2sp.org/tlog-proof@v1', `index ${leafIdx}`])
    const { size: treeSize, root } = headIn(note)
    const leafHash = leafOf(entryOf(events[leafIdx]!))
    expect(isIncluded({ leafIdx, treeSize, root, leafHash, proof }), `index ${leafIdx}`).toBe(true)
    return treeSize
  }

  it('proves of each event that a new checkpoint covers it', async () => {
    const events = await eventsOfCompany()
    for (const leafIdx of [0, 1, 255, 256, events.length - 1])
      expect(checkProof(String(await bytesOf(`proof/${events[leafIdx]!.id}`)), events, leafIdx)).toBe(
        events.length,
      )
  })

  it('proves events while others are recorded', async () => {
    const proofs = new Map<string, Promise<Buffer>>()
    let revision = noStream
    for (let n = 0; n < 30; n += 1) {
      const event = { id: randomUUID(), type: 'Weighed', data: { n }, metadata: {} } as never
      ;({ revision } = await store.append(`weights-${company.companyId}`, revision, [event]))
      const { id } = (await store.last())!
      proofs.set(id, bytesOf(`proof/${id}`))
    }
    const texts = await Promise.all(proofs.values())
    const events = await eventsOfCompany()
    for (const [n, id] of [...proofs.keys()].entries())
      checkProof(
        String(texts[n]),
        events,
        events.findIndex((event) => event.id === id),
      )
  })

  it('says what is not there', async () => {
    const { size } = headIn(String(await bytesOf('checkpoint')))
    const asked = async (path: string) => {
      const { status, body } = await auditor.send('GET', `history/log/${path}`)
      return [status, body.code, body.errors?.[0].parameter]
    }
    for (const id of [randomUUID(), ...ofOthers])
      expect(await asked(`proof/${id}`)).toEqual([404, 'event-not-found', undefined])
    for (const tile of [
      '0/001',
      `0/001.p/${size - 256 + 1}`,
      '1/000',
      '1/000.p/2',
      '2/000.p/1',
      '0/x001/000',
      '0/000.p/256',
      '0/x000/000',
      '64/000.p/1',
      '0/0',
      'entries/002',
      'entries/001',
      '0/000.p/0',
      '0/000/p/1',
      '-1/000',
    ])
      expect(await asked(`tile/${tile}`), tile).toEqual([404, 'tile-not-found', undefined])
    for (const [query, parameter] of [
      [`from=0&to=1`, 'from'],
      [`from=01&to=2`, 'from'],
      ['from=2&to=1', 'from'],
      ['from=x&to=1', 'from'],
      [`from=1&to=${size + 1}`, 'to'],
      ['from=1', 'to'],
      ['to=1', 'from'],
      ['from=1&to=1.5', 'to'],
    ])
      expect((await asked(`consistency?${query}`)).slice(0, 3), query).toEqual([
        400,
        'validation-failed',
        parameter,
      ])
    expect(await asked('proof/nonsense')).toEqual([400, 'validation-failed', 'eventId'])
  })
})

describe('a checkpoint', () => {
  it('continues the last one, and is the same while nothing has happened', async () => {
    const before = String(await bytesOf('checkpoint'))
    expect(String(await bytesOf('checkpoint'))).toBe(before)
    await company.createTag(company.admin, 'Retest')
    const after = String(await bytesOf('checkpoint'))
    const [older, newer] = [headIn(before), headIn(after)]
    expect(newer.size).toBe(older.size + 1)
    const { proof } = JSON.parse(String(await bytesOf(`consistency?from=${older.size}&to=${newer.size}`)))
    const [root1, root2] = [older.root, newer.root]
    expect(isConsistent({ size1: older.size, size2: newer.size, root1, root2, proof })).toBe(true)
  })

  it('is not signed from a place that somebody has forged in the database', async () => {
    const of = [company.companyId]
    const set = (change: string) =>
      postgres.query(`UPDATE heatmark_local.log_checkpoint SET ${change} WHERE company_id = $1`, of)
    const last = String(await bytesOf('checkpoint'))
    const { size } = headIn(last)
    const forged = Buffer.alloc(32).toString('base64')
    // A forged tree makes the signer read the whole history again, which is still that of the last checkpoint.
    await set(
      `subtrees = '${JSON.stringify(
        size
          .toString(2)
          .replaceAll('0', '')
          .split('')
          .map(() => forged),
      )}'`,
    )
    await company.createTag(company.admin, 'Forged')
    const { size: next } = headIn(String(await bytesOf('checkpoint')))
    expect(next).toBe(size + 1)
    // So it does when the event is no longer where it was.
    await set(`event_id = '${randomUUID()}'`)
    expect(String(await bytesOf('checkpoint'))).toContain(`\n${next}\n`)
    await set(`root = '${forged}', note = 'forged'`)
    await company.createTag(company.admin, 'Forged too')
    const position = (await store.last())!.position
    const { status, body } = await auditor.send('GET', 'history/log/checkpoint', {
      headers: { 'min-position': String(position) },
    })
    expect([status, body.code]).toEqual([409, 'history-diverged'])
  })
})

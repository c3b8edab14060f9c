import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { companyStream } from '../../../src/domain/company/company.ts'
import { catalogueStream } from '../../../src/domain/tags/tagCatalogue.ts'
import { loadLocalRows, takeLocalRows } from '../../../src/embedded/backup/localRows.ts'
import type { NewEvent } from '../../../src/stores/eventStore.ts'
import { connectEventStore } from '../../../src/stores/eventStoreDb/connect.ts'
import { connectPostgres } from '../../../src/stores/postgres/postgres.ts'
import { tagContent } from '../../domain/verdict/facts.ts'
import { own } from '../../support/own.ts'
import { startTestService } from '../../support/testService.ts'
import { type Company, newCompany, type Person } from '../people.ts'

/** The erasure of a person in one company. */

let company: Company
let eve: Person
const service = await own(startTestService({ API_RATE_LIMIT: '1000000' }, { membershipsEndWithinMs: 0 }))
const store = await own(connectEventStore(service.settings.EVENTSTORE_URL!))
const postgres = await own(connectPostgres({ url: service.settings.DATABASE_URL!, name: 'spec', size: 2 }))
beforeEach(async () => {
  company = await newCompany(service)
  eve = await company.admit('Eve Eder', ['Editor'])
})

const copies = ['copies', 'backups', 'free-text']

async function keptNames(userId: string): Promise<string[]> {
  const rows = await postgres.query<{ name: string }>(
    'SELECT name FROM heatmark_local.person WHERE company_id = $1 AND user_id = $2 ORDER BY name',
    [company.companyId, userId],
  )
  return rows.map(({ name }) => name)
}

function wheres(body: { notErased: { where: string }[] }): string[] {
  return body.notErased.map(({ where }) => where)
}

/** Record events by Eve in the past. */
async function recordInThePast(
  events: readonly Pick<NewEvent, 'type' | 'data'>[],
  daysAgo: number,
): Promise<void> {
  const occurredAt = new Date(Date.now() - daysAgo * 86_400_000).toISOString()
  const actor = { id: eve.userId, name: '', kind: 'user' as const }
  const metadata = { actor, occurredAt, correlationId: 'c', schemaVersion: 1 }
  const stream = catalogueStream(company.companyId)
  const last = (await Array.fromAsync(store.readStream(stream, 0))).length - 1
  const { position } = await store.append(
    stream,
    last,
    events.map((event) => ({ ...event, id: randomUUID(), metadata })),
  )
  const headers = { 'min-position': String(position) }
  expect((await company.admin.send('GET', 'millcert-tags', { headers })).status).toBe(200)
}

async function approve(count: number): Promise<void> {
  const plan = await company.admin.send('POST', 'production-plans', {
    body: {
      name: 'Week 10',
      bars: Array.from({ length: count }, () => ({ stockLengthMm: 6_000, grade: 'S355J2+N', cuts: [] })),
    },
  })
  expect(plan.status).toBe(201)
  const planner = await company.admit('Eve Eder', ['Editor', 'Planner'], eve.userId)
  for (const { barId } of plan.body.bars)
    expect((await planner.send('POST', `production-plan-bars/${barId}/approve`)).status).toBe(204)
}

describe('an erasure', () => {
  it('deletes every spelling of the name, removes the member, and says what it cannot reach', async () => {
    const tagId = await company.createTag(eve)
    await company.createTag(await eve.renamed('Eve Frey'), 'Retest')
    expect(await keptNames(eve.userId)).toEqual(['Eve Eder', 'Eve Frey'])
    const erased = await company.erase(eve.userId)
    expect(erased).toMatchObject({
      status: 200,
      body: {
        userId: eve.userId,
        erasedAt: expect.stringMatching(/Z$/),
        responsibleActs: 0,
      },
    })
    expect(wheres(erased.body)).toEqual(copies)
    expect(erased.headers.get('projection-status')).toBeNull()
    expect(await keptNames(eve.userId)).toEqual([])
    expect(await company.namesInHistory(tagId)).toEqual(['erased person'])
    expect(await company.membersByName()).toEqual({ [company.admin.userId]: 'Ada Ahlers' })
    expect((await eve.send('GET', 'millcert-tags')).status).toBe(403)
  })

  it('answers the same again, with and without the Idempotency-Key, and records nothing more', async () => {
    await company.createTag(eve)
    const path = `members/${eve.userId}?erase=true`
    const headers = { 'idempotency-key': randomUUID() }
    const first = await company.admin.send('DELETE', path, { headers })
    const replayed = await company.admin.send('DELETE', path, { headers })
    expect(replayed).toMatchObject({ status: 200, body: first.body })
    expect(replayed.headers.get('idempotent-replayed')).toBe('true')
    expect(await company.erase(eve.userId)).toMatchObject({ status: 200, body: first.body })
    const events = await Array.fromAsync(store.readStream(companyStream(company.companyId), 0))
    expect(events.filter(({ type }) => type === 'PersonErased')).toHaveLength(1)
  })

  it('is possible for a former member, and for nobody who never was one', async () => {
    await company.createTag(eve)
    const path = `members/${eve.userId}`
    expect(await company.admin.send('DELETE', path)).toMatchObject({ status: 204, body: undefined })
    expect(await keptNames(eve.userId)).toEqual(['Eve Eder'])
    expect((await company.erase(eve.userId)).status).toBe(200)
    expect(await keptNames(eve.userId)).toEqual([])
    expect(await company.erase('nobody')).toMatchObject({ status: 404, body: { code: 'member-not-found' } })
  })

  it('is for Admins, who need another Admin for their own', async () => {
    const { admin } = company
    expect((await eve.send('DELETE', `members/${admin.userId}?erase=true`)).status).toBe(403)
    expect(await company.erase(admin.userId)).toMatchObject({ status: 409, body: { code: 'last-admin' } })
    expect(await keptNames(admin.userId)).toEqual(['Ada Ahlers'])
    const other = await company.admit('Otto Ohm', ['Admin'])
    expect((await company.erase(admin.userId)).status).toBe(200)
    expect(await keptNames(admin.userId)).toEqual([])
    const { body } = await other.send('GET', 'members')
    const ids = body.map(({ userId }: { userId: string }) => userId)
    expect(ids.toSorted()).toEqual([eve.userId, other.userId].toSorted())
  })

  it('takes the company out of the API keys first', async () => {
    const key = await company.createKey(eve)
    expect((await company.erase(eve.userId)).status).toBe(200)
    expect((await key.send('GET', '/api/me')).status).toBe(401)
    expect(await keptNames(eve.userId)).toEqual([])
  })

  it('leaves the names in other companies', async () => {
    const tagId = await company.createTag(eve)
    const other = await newCompany(service)
    await other.admit('Eve Eder', ['Editor'], eve.userId)
    const send: Person['send'] = (method, path, sent) =>
      eve.send(method, `/api/company/${other.companyId}/${path}`, sent)
    const otherTag = await other.createTag({ send })
    await company.erase(eve.userId)
    expect(await company.namesInHistory(tagId)).toEqual(['erased person'])
    expect(await other.namesInHistory(otherTag)).toEqual(['Eve Eder'])
  })

  it('does not end at an API key that still acts for the company', async () => {
    const key = await company.createKey(eve)
    await company.createTag(key)
    await company.erase(eve.userId, '&keepKeys=true')
    expect(await company.namesInHistory(await company.createTag(key, 'Retest'))).toEqual(['erased person'])
    expect((await key.send('GET', '/api/me')).body.name).toBe('erased person')
    expect(await keptNames(eve.userId)).toEqual([])
    const events = await Array.fromAsync(store.readStream(catalogueStream(company.companyId), 0))
    expect(events.at(-1)!.metadata.actor).toEqual({ id: eve.userId, kind: 'application', name: '' })
  })
})

describe('a person who is admitted again', () => {
  it('has a name from then on, and none before', async () => {
    const tagId = await company.createTag(eve)
    await company.erase(eve.userId)
    await company.admit('Eve Eder', ['Editor'], eve.userId)
    expect((await company.membersByName())[eve.userId]).toBeNull()
    const path = `millcert-tags/${tagId}`
    expect((await eve.send('PUT', path, { body: tagContent({ name: 'Retest' }) })).status).toBe(200)
    expect(await company.namesInHistory(tagId)).toEqual(['Eve Eder', 'erased person'])
    expect((await company.membersByName())[eve.userId]).toBe('Eve Eder')
    await company.erase(eve.userId)
    expect(await company.namesInHistory(tagId)).toEqual(['erased person', 'erased person'])
  })

  it('is not named again by a backup from before the erasure, which holds the same spelling', async () => {
    const tagId = await company.createTag(eve)
    const { version, rows } = (await takeLocalRows(postgres))!
    const saved = rows.person!.filter(({ user_id }) => user_id === eve.userId)
    expect(saved).toHaveLength(1)
    await company.erase(eve.userId)
    await loadLocalRows(postgres, { version, rows: { person: saved } })
    expect(await keptNames(eve.userId)).toEqual(['Eve Eder'])
    expect(await company.namesInHistory(tagId)).toEqual(['erased person'])

    await company.admit('Eve Eder', ['Editor'], eve.userId)
    expect((await company.membersByName())[eve.userId]).toBeNull()
    const path = `millcert-tags/${tagId}`
    await eve.send('PUT', path, { body: tagContent({ name: 'Retest' }) })
    expect(await company.namesInHistory(tagId)).toEqual(['Eve Eder', 'erased person'])
    // The row that came back has another hash now.
    expect(await keptNames(eve.userId)).toEqual(['Eve Eder'])
  })
})

describe('a name that was lost together with PostgreSQL', () => {
  it('is shown as "unknown person", because nobody was erased', async () => {
    const tagId = await company.createTag(eve)
    await postgres.query('DELETE FROM heatmark_local.person WHERE user_id = $1', [eve.userId])
    expect(await company.namesInHistory(tagId)).toEqual(['unknown person'])
    expect((await company.membersByName())[eve.userId]).toBeNull()
    await company.erase(eve.userId)
    expect(await company.namesInHistory(tagId)).toEqual(['erased person'])
  })
})

describe('a record that must be kept', () => {
  it('refuses the erasure with the count, and yields to a confirmation', async () => {
    await approve(3)
    const refused = await company.erase(eve.userId)
    expect(refused).toMatchObject({ status: 409, body: { code: 'record-must-be-kept', count: 3 } })
    for (const more of ['&confirm=false', '&keepKeys=true'])
      expect((await company.erase(eve.userId, more)).body.code).toBe('record-must-be-kept')
    // Nothing has happened to the member.
    expect((await company.membersByName())[eve.userId]).toBe('Eve Eder')
    expect(await company.erase(eve.userId, '&confirm=true')).toMatchObject({
      status: 200,
      body: { responsibleActs: 3 },
    })
    expect(await keptNames(eve.userId)).toEqual([])
    // A repeat needs no confirmation.
    expect((await company.erase(eve.userId)).status).toBe(200)
  })

  it('is not one any more after ten years', async () => {
    const approved = {
      type: 'BarApproved',
      data: { companyId: company.companyId, planId: randomUUID(), barId: randomUUID() },
    }
    await recordInThePast([approved, approved], 3_654)
    await recordInThePast([approved], 3_648)
    expect((await company.erase(eve.userId)).body).toMatchObject({ code: 'record-must-be-kept', count: 1 })
  })
})

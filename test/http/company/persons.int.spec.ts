import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { catalogueStream } from '../../../src/domain/tags/tagCatalogue.ts'
import { type NewEvent, noStream } from '../../../src/stores/eventStore.ts'
import { connectEventStore } from '../../../src/stores/eventStoreDb/connect.ts'
import { tagContent } from '../../domain/verdict/facts.ts'
import { own } from '../../support/own.ts'
import { startTestService } from '../../support/testService.ts'
import { until } from '../../support/until.ts'
import { type Company, newCompany } from '../people.ts'

/** The names of persons, as lists show them. */

let company: Company
const service = await own(startTestService({}, { membershipsEndWithinMs: 0 }))
const store = await own(connectEventStore(service.settings.EVENTSTORE_URL!))
beforeEach(async () => {
  company = await newCompany(service)
})

describe('the history of a tag', () => {
  it('shows the name that each author had at the time', async () => {
    const eve = await company.admit('Eve Eder', ['Editor'])
    const tagId = await company.createTag(eve)
    const married = await eve.renamed('Eve Frey')
    const path = `millcert-tags/${tagId}`
    expect((await married.send('PUT', path, { body: tagContent({ name: 'Retest' }) })).status).toBe(200)
    expect((await eve.send('DELETE', path)).status).toBe(204)
    expect(await company.namesInHistory(tagId)).toEqual(['Eve Eder', 'Eve Frey', 'Eve Eder'])
  })

  it('shows the name in an event of a program, and none that another program gives a person', async () => {
    const { companyId, admin } = company
    const tagId = randomUUID()
    const data = { companyId, family: 'millCert', tagId, ...tagContent(), isSystemTag: false }
    const event = (name: string, kind: 'user' | 'service', more: object): NewEvent => ({
      id: randomUUID(),
      type: 'TagCreated',
      data,
      ...more,
      metadata: {
        actor: { id: 'old', name, kind },
        correlationId: 'c',
        schemaVersion: 1,
        occurredAt: new Date().toISOString(),
      },
    })
    await store.append(catalogueStream(companyId), noStream, [
      event('Olga Olsen', 'user', {}),
      event('Importer', 'service', { type: 'TagSoftDeleted' }),
      event('', 'service', { type: 'TagRestored' }),
    ])
    await until(async () => (await admin.send('GET', `millcert-tags/${tagId}/history`)).body.length === 3)
    expect(await company.namesInHistory(tagId)).toEqual(['', 'Importer', 'unknown person'])
  })
})

describe('the members of a company', () => {
  it('have the name of their last command, also after a rename', async () => {
    const eve = await company.admit('Eve Eder', ['Editor'])
    const silent = await company.admit('Sid Still', ['Viewer'])
    expect((await silent.send('GET', 'millcert-tags')).status).toBe(200)
    await company.createTag(eve)
    expect(await company.membersByName()).toEqual({
      [company.admin.userId]: 'Ada Ahlers',
      [eve.userId]: 'Eve Eder',
      // A name is never learned from a read.
      [silent.userId]: null,
    })
    await company.createTag(await eve.renamed('Eve Frey'), 'Retest')
    expect((await company.membersByName())[eve.userId]).toBe('Eve Frey')
  })
})

describe('an API key', () => {
  it('acts under the name of its owner, which its companies know from its creation on', async () => {
    const eve = await company.admit('Eve Eder', ['Editor'])
    const key = await company.createKey(eve)
    expect((await company.membersByName())[eve.userId]).toBe('Eve Eder')
    expect((await key.send('GET', '/api/me')).body).toMatchObject({ id: eve.userId, name: 'Eve Eder' })
    expect(await company.namesInHistory(await company.createTag(key))).toEqual(['Eve Eder'])
  })

  it('acts under the newest name of its owner', async () => {
    const eve = await company.admit('Eve Eder', ['Editor'])
    const key = await company.createKey(eve)
    await company.createTag(await eve.renamed('Eve Frey'))
    expect((await key.send('GET', '/api/me')).body.name).toBe('Eve Frey')
    expect(await company.namesInHistory(await company.createTag(key, 'Retest'))).toEqual(['Eve Frey'])
  })

  it('carries the name of its owner over to the companies of a key that is rolled', async () => {
    const eve = await company.admit('Eve Eder', ['Editor'])
    const key = await company.recordKey(store, eve)
    await until(async () => (await key.send('GET', '/api/me')).status === 200)
    expect((await key.send('GET', '/api/me')).body.name).toBe(eve.userId)
    const rolled = await eve.send('POST', '/api/me/keys/roll')
    expect(rolled.status).toBe(200)
    expect((await company.membersByName())[eve.userId]).toBe('Eve Eder')
  })
})

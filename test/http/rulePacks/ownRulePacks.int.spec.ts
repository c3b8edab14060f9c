import { describe, expect, it } from 'vitest'
import { millCertificateKey, millCertificateStream } from '../../../src/domain/certificates/certificate.ts'
import { connectEventStore } from '../../../src/stores/eventStoreDb/connect.ts'
import { ownDocument } from '../../rulePacks/ownDocument.ts'
import { own } from '../../support/own.ts'
import { startTestService, type TestService } from '../../support/testService.ts'
import { until } from '../../support/until.ts'

/** The rule packs that a company writes itself: their documents. */

const service = await own(startTestService())

const send = (...asked: Parameters<TestService['send']>) => service.send(...asked)
const admin = (method: string, path: string, body?: object, headers?: Record<string, string>) =>
  send('admin', method, path, { ...(body && { body }), ...(headers && { headers }) })
const path = 'rule-packs/house-limits'

function rule(when: string) {
  return {
    ...ownDocument,
    id: 'faulty',
    rules: [{ ...ownDocument.rules[1], when }],
    tags: [ownDocument.tags[1]],
  }
}

describe('a rule pack of a company', () => {
  it('is added in version 1, and shown with its document to every member', async () => {
    const added = await admin('POST', 'rule-packs', ownDocument)
    expect(added.status).toBe(201)
    expect(added.headers.get('location')).toMatch(/\/rule-packs\/house-limits$/)
    expect(added.body).toMatchObject({
      rulePackId: 'house-limits',
      id: 'house-limits',
      name: 'House limits',
      version: 1,
      own: true,
      subscribed: false,
      subscribedVersion: null,
      document: ownDocument,
      evaluation: { status: 'none', done: 0, total: 0 },
    })
    const read = await send('viewer', 'GET', path)
    expect(read.body).toEqual(added.body)
    expect(read.headers.get('etag')).toBe(added.headers.get('etag'))
    const listed = (await send('viewer', 'GET', 'rule-packs')).body.find(
      ({ id }: { id: string }) => id === 'house-limits',
    )
    const { document: _, hash: _hash, ...shown } = added.body
    expect(listed).toEqual(shown)
    const elsewhere = `/api/company/${service.otherCompanyId}/${path}`
    expect((await send('outsider', 'GET', elsewhere)).body.code).toBe('rule-pack-not-found')
  })

  it('has its name in the audit trail, also before the company subscribes', async () => {
    const [newest] = (await admin('GET', 'audit')).body
    expect(newest.subject).toEqual({ type: 'rulePack', id: 'house-limits', label: 'House limits' })
  })

  it('is answered as it is for the same content, and refused for other content under its id', async () => {
    const again = await admin('POST', 'rule-packs', ownDocument)
    expect([again.status, again.body.version]).toEqual([200, 1])
    const other = await admin('POST', 'rule-packs', { ...ownDocument, name: 'Other' })
    expect([other.status, other.body.code]).toEqual([409, 'rule-pack-already-exists'])
    const shipped = await admin('POST', 'rule-packs', { ...ownDocument, id: 'completeness' })
    expect([shipped.status, shipped.body.code]).toEqual([409, 'rule-pack-already-exists'])
  })

  it('gets its next version by PUT, under If-Match, and keeps every version', async () => {
    const before = await admin('GET', path)
    const { id: _, ...next } = { ...ownDocument, name: 'House limits 2' }
    const stale = await admin('PUT', path, next, { 'If-Match': '"7"' })
    expect(stale.status).toBe(412)
    const put = await admin('PUT', path, next, { 'If-Match': before.headers.get('etag')! })
    expect([put.status, put.body.version, put.body.name]).toEqual([200, 2, 'House limits 2'])
    expect((await admin('PUT', path, next)).body.version).toBe(2)
    const first = await send('viewer', 'GET', `${path}/versions/1`)
    expect(first.body).toMatchObject({ version: 1, own: true, hash: before.body.hash, document: ownDocument })
    expect((await send('viewer', 'GET', `${path}/versions/3`)).body.code).toBe('rule-pack-not-found')
    expect((await admin('PUT', 'rule-packs/nothing', ownDocument)).body.errors).toMatchObject([
      { pointer: '#/id', code: 'unchangeable' },
    ])
    expect((await admin('PUT', 'rule-packs/completeness', next)).body.code).toBe('rule-pack-not-found')
  })

  it('shows the documents of the service in the same way', async () => {
    const { body } = await send('viewer', 'GET', 'rule-packs/completeness')
    expect(body).toMatchObject({ own: false, version: 1, document: { id: 'completeness', version: 1 } })
    const first = await send('viewer', 'GET', 'rule-packs/completeness/versions/1')
    expect(first.body).toMatchObject({ own: false, version: 1, definedAt: null, document: { version: 1 } })
  })
})

describe('the faults of a document', () => {
  it('are all named by their JSON Pointers, those of expressions by line and column', async () => {
    const { status, body } = await admin('POST', 'rule-packs', {
      ...ownDocument,
      id: 'faulty',
      definitions: [{ ...ownDocument.definitions[0], expression: 'certificate.thickness > sawMm' }],
      rules: [
        { ...ownDocument.rules[0], when: 'true &&\n  certificate.grade > 3.0' },
        { ...ownDocument.rules[1], tag: 'nothing' },
      ],
    })
    expect([status, body.code]).toEqual([400, 'validation-failed'])
    expect(body.errors).toMatchObject([
      { pointer: '#/rules/1/tag', code: 'not-one-of' },
      { pointer: '#/tags/1/key', code: 'not-one-of' },
      { pointer: '#/definitions/0/expression', code: 'faulty-expression', line: 1, column: 13 },
      { pointer: '#/rules/0/when', code: 'faulty-expression', line: 2, column: 3 },
    ])
  })

  it('of its shape and of its expressions are in one answer', async () => {
    const shape = {
      ...rule('order.nothing == ""'),
      tags: [{ ...ownDocument.tags[1], color: 'red' }],
      version: 1,
    }
    const faults = async (method: string, at: string) =>
      (await admin(method, at, shape)).body.errors.map(({ pointer }: { pointer: string }) => pointer)
    expect(await faults('POST', 'rule-packs')).toEqual(['#/tags/0/color', '#/version', '#/rules/0/when'])
    expect(await faults('PUT', path)).toEqual(['#/id', '#/tags/0/color', '#/version', '#/rules/0/when'])
  })

  it('include members named __proto__, which no schema describes', async () => {
    const hostile = (member: object) => JSON.parse(JSON.stringify(member).replace('proto', '__proto__'))
    const table = { about: 'Widths in mm.', values: { a: 1, proto: 'x' } }
    const each = [{ word: 'a', proto: { any: 1 } }]
    for (const [document, pointer] of [
      [
        { ...rule('true'), tables: { ...ownDocument.tables, widths: hostile(table) } },
        '#/tables/widths/values/__proto__',
      ],
      [
        { ...rule('true'), rules: [{ ...ownDocument.rules[1], ruleId: 'is-{word}', each: hostile(each) }] },
        '#/rules/0/each/0/__proto__',
      ],
    ] as const) {
      const { status, body } = await admin('POST', 'rule-packs', document)
      expect(status).toBe(400)
      expect(body.errors).toMatchObject([{ pointer, code: 'unknown-member' }])
    }
  })
})

describe('a subscription to a pack of the company', () => {
  const pack = 'rule-packs/yard-limits'
  const document = { ...ownDocument, id: 'yard-limits' }
  const certificate = (certificateNumber: string, thicknessMm: number | null) => ({
    certificateNumber,
    heatNumber: 'H 1',
    grade: 'S355J2+N',
    inspectionDocument: '3.1',
    thicknessMm,
  })
  const register = async (number: string, thicknessMm: number | null) =>
    (await send('planner', 'POST', 'millcert/certificates', { body: certificate(number, thicknessMm) })).body
      .millCertificationId as string
  const tagNames = async (id: string): Promise<string[]> =>
    (await send('viewer', 'GET', `millcert/certificates/${id}`)).body.tags.map(
      ({ name }: { name: string }) => name,
    )
  const evaluated = () => until(async () => (await admin('GET', pack)).body.evaluation.status === 'done')

  it('is previewed, and then tags what is there and what comes, with evidence', async () => {
    const before = await register('MC-before', 100)
    await admin('POST', 'rule-packs', document)
    const preview = await admin('POST', `${pack}/preview`)
    expect(preview.body).toMatchObject({
      gains: [{ subjectLabel: 'MC-before', tag: { name: 'Thicker than we cut', severity: 'Block' } }],
      losses: [],
    })
    const subscribed = await admin('POST', `${pack}/subscribe`)
    expect(subscribed.body).toMatchObject({ subscribed: true, subscribedVersion: 1, own: true })
    await evaluated()
    expect(await tagNames(before)).toEqual(['Thicker than we cut'])

    const [after, unknown] = [await register('MC-after', 81), await register('MC-unknown', null)]
    await until(async () => (await tagNames(after)).includes('Thicker than we cut'))
    await until(async () => (await tagNames(unknown)).includes('Not judged'))
    const explanations = `millcert-tag-assignments/${after}/explanations`
    expect((await send('viewer', 'GET', explanations)).body).toMatchObject([
      {
        rulePackId: 'yard-limits',
        rulePackVersion: 1,
        ruleId: 'thick',
        clause: 'House rule 1',
        expression: 'isThick',
        message: 'It is 81 mm thick.',
        result: 'matched',
        values: { 'certificate.thicknessMm': 81, isThick: true },
      },
    ])
    const stream = millCertificateStream(millCertificateKey(service.companyId, after))
    const store = connectEventStore(service.settings.EVENTSTORE_URL!)
    const [registered, judged] = await Array.fromAsync(store.readStream(stream, 0))
    await store.close()
    expect(registered!.metadata!.rulesAsOf).toBe(-1)
    expect(judged!.data).toMatchObject({ rulePackId: 'yard-limits', hash: expect.any(String) })
    expect(JSON.stringify(judged)).not.toContain('sawMm >')
  })

  it('is refused beyond the steps that all own packs may take together', async () => {
    const costly = (id: string) => ({
      ...rule('true'),
      id,
      tags: [{ ...ownDocument.tags[1], name: id }],
      rules: Array.from({ length: 4 }, (_, n) => ({
        ...ownDocument.rules[1],
        ruleId: `rule-${n}`,
        when: Array.from(
          { length: 4 },
          (_, m) => `order.lineItems.exists(line, line.grade.contains('${m}'))`,
        ).join(' || '),
      })),
    })
    const statuses: number[] = []
    for (const id of ['costly-1', 'costly-2']) {
      expect((await admin('POST', 'rule-packs', costly(id))).body.errors).toBeUndefined()
      statuses.push((await admin('POST', `rule-packs/${id}/subscribe`)).status)
    }
    expect(statuses).toEqual([200, 409])
    expect((await admin('POST', 'rule-packs/costly-2/subscribe')).body.code).toBe('own-rules-too-costly')
  })
})

it('lets a company have 20 packs of its own', async () => {
  for (let n = 5; n <= 20; n += 1)
    expect((await admin('POST', 'rule-packs', { ...ownDocument, id: `pack-${n}` })).status).toBe(201)
  const { status, body } = await admin('POST', 'rule-packs', { ...ownDocument, id: 'pack-21' })
  expect([status, body.code]).toEqual([409, 'too-many-rule-packs'])
  expect((await admin('POST', 'rule-packs', { ...ownDocument, id: 'pack-20' })).status).toBe(200)
  // A deleted one makes room.
  expect((await admin('DELETE', 'rule-packs/pack-20')).status).toBe(204)
  expect((await admin('POST', 'rule-packs', { ...ownDocument, id: 'pack-21' })).status).toBe(201)
})

it('deletes a pack that is not subscribed to; a new one under its id continues the versions', async () => {
  const pack = 'rule-packs/pack-5'
  // Other packs of these specs have its tags.
  const tags = ownDocument.tags.map((tag) => ({ ...tag, name: `${tag.name} by far` }))
  expect((await admin('PUT', pack, { ...ownDocument, id: 'pack-5', tags })).status).toBe(200)
  expect((await admin('POST', `${pack}/subscribe`)).status).toBe(200)
  const refused = await admin('DELETE', pack)
  expect([refused.status, refused.body.code]).toEqual([409, 'rule-pack-subscribed'])
  await admin('POST', `${pack}/unsubscribe`)
  expect((await send('planner', 'DELETE', pack)).status).toBe(403)
  expect((await admin('DELETE', pack)).status).toBe(204)
  expect((await admin('DELETE', pack)).body.code).toBe('rule-pack-not-found')
  for (const [method, at] of [
    ['GET', pack],
    ['GET', `${pack}/versions/1`],
    ['POST', `${pack}/subscribe`],
    ['POST', `${pack}/preview`],
    ['DELETE', 'rule-packs/completeness'],
  ] as const)
    expect((await admin(method, at)).body.code, at).toBe('rule-pack-not-found')
  expect((await admin('GET', 'rule-packs')).body.map(({ id }: { id: string }) => id)).not.toContain('pack-5')

  const again = await admin('POST', 'rule-packs', { ...ownDocument, id: 'pack-5', name: 'Again' })
  expect([again.status, again.body.version]).toEqual([201, 3])
  expect((await admin('GET', `${pack}/versions/1`)).body).toMatchObject({ name: 'House limits' })
})

it('judges with a pack whose names are those of members that every object has', async () => {
  const company = `/api/company/${service.otherCompanyId}`
  const send = (method: string, path: string, body?: object) =>
    service.send('outsider', method, `${company}/${path}`, { ...(body && { body }) })
  const register = async (certificateNumber: string) => {
    const content = { heatNumber: 'H', grade: 'S355J2+N', inspectionDocument: '3.1', thicknessMm: 100 }
    const { status, body } = await send('POST', 'millcert/certificates', { certificateNumber, ...content })
    expect(status).toBe(201)
    return body.millCertificationId as string
  }
  const [tag, ...others] = ownDocument.tags
  const [first, ...more] = ownDocument.rules
  const added = await send('POST', 'rule-packs', {
    ...ownDocument,
    id: 'constructor',
    parameters: { toString: { description: 'Whether to judge.', enum: ['yes', 'no'], default: 'yes' } },
    tags: [{ ...tag, key: 'constructor' }, ...others],
    rules: [{ ...first, tag: 'constructor', when: 'toString == "yes" && isThick' }, ...more],
  })
  expect(added.status).toBe(201)
  const { body } = await send('POST', 'rule-packs/constructor/subscribe')
  expect(body).toMatchObject({ subscribed: true, parameters: { toString: 'yes' } })
  const id = await register('MC-1')
  await until(async () => {
    const { tags } = (await send('GET', `millcert/certificates/${id}`)).body
    return tags.length === 1
  })
  expect((await send('POST', 'rule-packs/constructor/unsubscribe')).status).toBe(200)
  expect((await send('DELETE', 'rule-packs/constructor')).status).toBe(204)
  await register('MC-2')
})

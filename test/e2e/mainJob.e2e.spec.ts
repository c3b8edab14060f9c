import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ClientName } from '../../src/embedded/identities.ts'
import { assignmentsOf } from '../support/assignmentsOf.ts'
import { type Answer, call, type Sent } from '../support/call.ts'
import { newDataDir, removeDataDir } from '../support/dataDir.ts'
import { operationsOf } from '../support/operations.ts'
import { type EmbeddedService, root, startEmbedded, tokenOf } from '../support/serviceProcess.ts'

/**
 * The main job on real input over HTTP: an engineer registers mill certificates and orders, tags them and changes
 * her mind, and an auditor reads who changed what. Every store is embedded, and the last spec reads the log.
 */

const dataDir = newDataDir()
let service: EmbeddedService

beforeAll(async () => {
  service = await startEmbedded(dataDir)
})

afterAll(async () => {
  await service?.end()
  removeDataDir(dataDir)
})

async function send(client: ClientName, method: string, path: string, sent: Sent = {}): Promise<Answer> {
  return call(method, `${service.url}/api/company/${service.dev.companyId}/${path}`, {
    token: await tokenOf(service.dev, client),
    ...sent,
  })
}

function example(file: string) {
  return JSON.parse(readFileSync(join(root, 'examples', file), 'utf8'))
}

const expectProblem = ({ body, status, headers }: Answer, code: unknown = expect.any(String)) => {
  expect(headers.get('content-type')).toBe('application/problem+json')
  expect(body).toMatchObject({
    type: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/problems\/[a-z-]+$/),
    title: expect.any(String),
    status,
    detail: expect.any(String),
    instance: expect.stringMatching(/^\//),
    code,
    traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
  })
}

describe.each([
  {
    family: 'millcert-tags',
    subjects: 'millcert/certificates',
    idName: 'millCertificationId',
    subject: 'MillCertification',
    entity: 'MillCertTag',
    labelName: 'certificateNumber',
    registration: () => example('certificates.json')[0],
  },
  {
    family: 'order-tags',
    subjects: 'orders',
    idName: 'orderId',
    subject: 'Order',
    entity: 'OrderTag',
    labelName: 'orderNumber',
    registration: () => example('orders.json')[0],
  },
])('$family', ({ family, subjects, idName, subject, entity, labelName, registration }) => {
  const assignments = assignmentsOf(family)
  const edit = (method: string, path: string, body?: unknown) =>
    send('editor', method, `${family}${path}`, { body })
  const view = async (path: string) => {
    const { status, body } = await send('viewer', 'GET', path)
    expect(status).toBe(200)
    return body
  }
  const quarantine = { name: 'Quarantine', color: '#B71C1C', severity: 'Block', description: 'Off the saw.' }
  const shownTag = ({ tagId, name, color, severity }: Record<string, unknown>) => ({
    tagId,
    name,
    color,
    severity,
  })
  let subjectId: string
  let tagId: string

  it('a subject is registered, and found with the values that were sent', async () => {
    const sent = registration()
    const made = await send('planner', 'POST', subjects, { body: sent })
    expect(made.status).toBe(201)
    subjectId = made.body[idName]
    const { lineItems, ...plain } = sent
    expect(made.body).toMatchObject({ ...plain, tags: [], blocked: false })
    if (lineItems) expect(made.body.lineItems).toMatchObject(lineItems)
    expect(await view(`${subjects}/${subjectId}`)).toEqual(made.body)
    // Only a single record is shown with its findings and the rules that could not judge it.
    const { findings: _, notJudged: __, documents: ___, stock: ____, ...listed } = made.body
    expect(await view(subjects)).toEqual([listed])
  })

  it('a tag is created and assigned, and blocks its subject', async () => {
    const made = await edit('POST', '', quarantine)
    expect(made.status).toBe(201)
    tagId = made.body.tagId
    const assigned = await send('editor', 'PUT', `${assignments}/${subjectId}/manual`, {
      body: { tagIds: [tagId] },
    })
    expect(assigned.status).toBe(200)
    expect(assigned.body).toMatchObject([{ [idName]: subjectId, tagId, assignedByRuleId: null }])
    expect(await view(`${subjects}/${subjectId}`)).toMatchObject({
      tags: [shownTag({ tagId, ...quarantine })],
      blocked: true,
    })
    expect(await view(family)).toMatchObject([{ tagId, usageCount: 1 }])
  })

  it('a tag is renamed everywhere at once', async () => {
    const renamed = { ...quarantine, name: 'Quarantined', color: '#C62828' }
    expect((await edit('PUT', `/${tagId}`, renamed)).status).toBe(200)
    expect(await view(family)).toMatchObject([renamed])
    expect((await view(`${subjects}/${subjectId}`)).tags).toEqual([shownTag({ tagId, ...renamed })])
    expect(await view(assignments)).toMatchObject([{ tagId, [idName]: subjectId, name: 'Quarantined' }])
    expect(await view(`${assignments}/${subjectId}`)).toMatchObject([{ tagId, name: 'Quarantined' }])
  })

  it('a tag is soft-deleted, and restored with its assignments', async () => {
    expect((await edit('DELETE', `/${tagId}`)).status).toBe(204)
    expect(await view(family)).toEqual([])
    expect(await view(`${family}/deleted`)).toMatchObject([{ tagId, active: false, usageCount: 1 }])
    expect(await view(assignments)).toEqual([])
    expect(await view(`${subjects}/${subjectId}`)).toMatchObject({ tags: [], blocked: false })

    // The source document writes this path without /api.
    const restored = await call(
      'POST',
      `${service.url}/company/${service.dev.companyId}/${family}/${tagId}/restore`,
      { token: await tokenOf(service.dev, 'admin') },
    )
    expect(restored.status).toBe(200)
    expect(restored.body).toMatchObject({ tagId, active: true, name: 'Quarantined' })
    expect(await view(`${family}/deleted`)).toEqual([])
    expect(await view(`${subjects}/${subjectId}`)).toMatchObject({ blocked: true })
  })

  it('an auditor reads each change with its actor and time', async () => {
    const { status, body } = await send('auditor', 'GET', `${family}/${tagId}/history`)
    expect(status).toBe(200)
    const editor = decodeJwt(await tokenOf(service.dev, 'editor'))
    const admin = decodeJwt(await tokenOf(service.dev, 'admin'))
    const by = ({ oid, name }: typeof editor) => ({ changedById: oid, changedByName: name })
    const label = registration()[labelName]
    expect(body).toMatchObject([
      { changeType: 'Restored', entityType: entity, entityLabel: 'Quarantined', ...by(admin) },
      { changeType: 'Deleted', entityType: entity, entityLabel: 'Quarantined', ...by(editor) },
      {
        changeType: 'Updated',
        entityType: entity,
        entityLabel: 'Quarantined',
        ...by(editor),
        changes: [
          { field: 'name', from: 'Quarantine', to: 'Quarantined' },
          { field: 'color', from: '#B71C1C', to: '#C62828' },
        ],
      },
      { changeType: 'Assigned', entityType: subject, entityLabel: label, entityId: subjectId, ...by(editor) },
      {
        changeType: 'Created',
        entityType: entity,
        entityLabel: 'Quarantine',
        entityId: tagId,
        ...by(editor),
      },
    ])
    expect(editor.name).toBe('Edith Editor')
    const times = body.map(({ changedAt }: { changedAt: string }) => changedAt)
    expect(times).toEqual(times.toSorted().toReversed())
    for (const time of times) {
      expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      expect(Math.abs(Date.parse(time) - Date.now())).toBeLessThan(60_000)
    }
  })
})

describe('every path in the OpenAPI document', () => {
  let paths: [string, Record<string, { security?: object[] }>][]
  beforeAll(async () => {
    paths = Object.entries(operationsOf((await call('GET', `${service.url}/openapi.json`)).body))
  })
  const methods = ['get', 'put', 'post', 'delete', 'patch']
  /** The parameters that some operations need. */
  const queries: Readonly<Record<string, string>> = {
    recalls: '?heatNumber=H-1',
    consistency: '?from=1&to=1',
  }
  const urlOf = (path: string, prefix: 'with' | 'without' = 'with') => {
    const filled = path
      .replace('{companyId}', service.dev.companyId)
      .replace(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000')
    const asked = filled + (queries[path.split('/').at(-1)!] ?? '')
    return service.url + (prefix === 'with' ? asked : asked.replace(/^\/api/, ''))
  }
  const isOpen = ({ security }: { security?: object[] } = {}) => security?.length === 0

  it('answers 405 with Allow to any other method', async () => {
    expect(paths.length).toBeGreaterThan(20)
    for (const [path, operations] of paths) {
      const known = Object.keys(operations)
      const allowed = [...known, ...(known.includes('get') ? ['head'] : [])].map((name) => name.toUpperCase())
      for (const method of methods.filter((name) => !known.includes(name))) {
        const answer = await call(method.toUpperCase(), urlOf(path))
        expect(answer.status, `${method} ${path}`).toBe(405)
        expect(answer.headers.get('allow')!.split(', ').sort()).toEqual(allowed.sort())
        expectProblem(answer, 'method-not-allowed')
      }
    }
  })

  it('needs credentials, with and without its prefix', async () => {
    for (const [path, operations] of paths)
      for (const [method, operation] of Object.entries(operations)) {
        if (isOpen(operation)) continue
        for (const prefix of ['with', 'without'] as const) {
          const answer = await call(method.toUpperCase(), urlOf(path, prefix))
          expect(answer.status, `${method} ${path}`).toBe(401)
          expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer /)
          expectProblem(answer, 'credentials-missing')
        }
      }
  })

  it('answers HEAD as GET, with and without its prefix, and every error as a problem', async () => {
    const token = await tokenOf(service.dev, 'admin')
    for (const [path, operations] of paths) {
      if (!operations.get) continue
      const got = await call('GET', urlOf(path), { token })
      // A browser comes to the portal: without the parameters of a login it gets a page that says so.
      const isPage = path.startsWith('/portal')
      expect(isPage ? [400, 404, 503] : [200, 403, 404], `GET ${path}`).toContain(got.status)
      if (got.status !== 200 && !isPage) expectProblem(got)
      for (const prefix of ['with', 'without'] as const) {
        const head = await call('HEAD', urlOf(path, prefix), { token })
        expect(head.status, `HEAD ${path}`).toBe(got.status)
        expect(head.headers.get('content-type')).toBe(got.headers.get('content-type'))
        expect(head.body).toBeUndefined()
      }
    }
  })

  it('leaves 404 to every other path', async () => {
    const token = await tokenOf(service.dev, 'admin')
    for (const path of ['/nothing', '/api/nothing', '/api', `/api/company/${service.dev.companyId}/nothing`])
      for (const method of ['GET', 'POST', 'DELETE']) {
        const answer = await call(method, service.url + path, { token })
        expect(answer.status).toBe(404)
        expectProblem(answer, 'not-found')
      }
  })
})

describe('the log', () => {
  it('has a line for each request, and neither secrets nor request bodies', async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c'
    const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01` }
    await send('editor', 'POST', 'order-tags', { body: { name: 'Zebra', colour: 'x' }, headers })
    await send('editor', 'GET', 'order-tags?limit=1&cursor=secret-in-a-query')
    await call('GET', `${service.url}/api/company/${service.dev.companyId}/orders`, {
      headers: { authorization: 'Bearer not.a.token', 'service-api-key': 'hmk_not-a-key' },
    })
    const log = readFileSync(join(dataDir, 'heatmark.log'), 'utf8')
    const lines = log.trimEnd().split('\n')
    expect(lines.every((line) => typeof JSON.parse(line) === 'object')).toBe(true)
    expect(lines.filter((line) => line.includes(traceId))).toHaveLength(1)

    const { clients, databaseUrl } = service.dev
    const secrets = Object.values(clients).map(({ clientSecret }) => clientSecret)
    const tokens = await Promise.all(
      (['editor', 'admin', 'viewer'] as const).map((name) => tokenOf(service.dev, name)),
    )
    const written = `${log}${service.stdout()}${service.stderr()}`
    for (const secret of [...secrets, ...tokens, new URL(databaseUrl).password])
      expect(written).not.toContain(secret)
    for (const word of ['eyJ', 'not.a.token', 'hmk_', 'Zebra', 'Quarantine', 'secret-in-a-query'])
      expect(log).not.toContain(word)
  })
})

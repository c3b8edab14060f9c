import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { noStream } from '../../../src/stores/eventStore.ts'
import { connectEventStore } from '../../../src/stores/eventStoreDb/connect.ts'
import { own } from '../../support/own.ts'
import { startTestService } from '../../support/testService.ts'
import { until } from '../../support/until.ts'
import { furnishCompany } from '../furnish.ts'
import { newCompany } from '../people.ts'

/** The audit trail of a company: every event in plain words. */

let ids: Awaited<ReturnType<typeof furnishCompany>>
const service = await own(startTestService())
const store = await own(connectEventStore(service.settings.EVENTSTORE_URL!))
const company = await newCompany(service)
const auditor = await company.admit('Aurel Auditor', ['Auditor'])
beforeAll(async () => {
  // Before there is anything to evaluate, so that no policy records events while a test looks.
  expect((await company.admin.send('POST', 'rule-packs/completeness/subscribe')).status).toBe(200)
  ids = await furnishCompany(company.companyId, (method, path, body) =>
    company.admin.send(method, path, { body }),
  )
})

interface Entry {
  readonly position: number
  readonly occurredAt: string
  readonly kind: string
  readonly actor: { readonly id: string; readonly name: string }
  readonly subject: { readonly type: string; readonly id: string; readonly label: string }
  readonly message: string
}

async function trail(query = ''): Promise<Entry[]> {
  const { status, body } = await auditor.send('GET', `audit${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

async function csv(query = '') {
  return auditor.send('GET', `audit/export${query}`, { headers: { accept: 'text/csv' } })
}

describe('GET C/audit', () => {
  it('lists every event of the company once, newest first', async () => {
    const lines = await auditor.send('GET', 'audit/export', { headers: { accept: 'application/x-ndjson' } })
    const recorded = String(lines.body)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).type)
    const entries = await trail()
    expect(entries.map(({ kind }) => kind)).toEqual(recorded.reverse())
    const positions = entries.map(({ position }) => position)
    expect(positions).toEqual(positions.toSorted((a, b) => b - a))
  })

  it('names the record that each event is about', async () => {
    const labels = new Map((await trail()).map(({ subject }) => [subject.type, subject.label]))
    expect(Object.fromEntries(labels)).toEqual({
      company: 'Yard',
      member: 'Ada Ahlers',
      tag: 'Certificate incomplete',
      certificate: `C ${company.companyId}`.slice(0, 50),
      delivery: 'LS 4711',
      document: 'heat.json',
      order: `O ${company.companyId}`.slice(0, 50),
      plan: 'Week 17',
      bar: 'Week 17 · 1',
      filterProfile: `Profile ${company.companyId}`,
      rulePack: 'Completeness of certificates and orders',
      webhook: 'https://example.com/',
    })
  })

  it('names the members whom events are about, until their names are erased', async () => {
    const mia = await company.admit('Mia Member', ['Editor'])
    const { userId } = mia
    const told = async () =>
      (await trail(`?subjectType=member&subjectId=${userId}`)).map(({ message }) => message)
    expect(await told()).toEqual([`Member ${userId} now has the role Editor.`])
    await company.createTag(mia, 'Hers')
    expect(await told()).toEqual(['Member Mia Member now has the role Editor.'])
    expect((await company.erase(userId)).status).toBe(200)
    expect(await told()).toContain(`The name of ${userId} was erased.`)
    expect((await told()).join()).not.toContain('Mia')
  })

  it('pages through the same entries', async () => {
    const all = await trail()
    const paged: Entry[] = []
    for (let path: string | undefined = 'audit?limit=7'; path; ) {
      const { body, headers } = await auditor.send('GET', path)
      paged.push(...body)
      path = /<([^>]+)>/.exec(headers.get('link') ?? '')?.[1]
    }
    expect(paged).toEqual(all)
  })

  it('filters by author, type, record and time', async () => {
    const all = await trail()
    const half = all[Math.floor(all.length / 2)]!.occurredAt
    const { userId } = company.admin
    const cases: [string, (entry: Entry) => boolean][] = [
      [`actorId=${userId}`, ({ actor }) => actor.id === userId],
      ['kind=BarOpened', ({ kind }) => kind === 'BarOpened'],
      ['subjectType=plan', ({ subject }) => subject.type === 'plan'],
      [`subjectType=bar&subjectId=${ids.barId}`, ({ subject }) => subject.id === ids.barId],
      [`subjectId=${ids.orderId}`, ({ subject }) => subject.id === ids.orderId],
      [`since=${half}`, ({ occurredAt }) => occurredAt >= half],
      [`until=${half}`, ({ occurredAt }) => occurredAt < half],
      [
        `kind=TagCreated&until=${half}&actorId=${userId}`,
        ({ kind, occurredAt }) => kind === 'TagCreated' && occurredAt < half,
      ],
      ['kind=Nonsense', () => false],
    ]
    for (const [query, matches] of cases) {
      const expected = all.filter(matches)
      expect(await trail(`?${query}`), query).toEqual(expected)
      if (query !== 'kind=Nonsense') expect(expected.length, query).toBeGreaterThan(0)
    }
  })

  it('lists events that this release does not know', async () => {
    const event = { id: randomUUID(), type: 'Scanned', data: { companyId: 'elsewhere' }, metadata: {} }
    await store.append(`scans-${company.companyId}_7`, noStream, [event as never])
    await until(async () => (await trail()).some(({ kind }) => kind === 'Scanned'))
    const entries = await trail('?subjectType=other')
    expect(entries).toMatchObject([{ kind: 'Scanned', subject: { id: `scans-${company.companyId}_7` } }])
    expect((await trail())[0]).toEqual(entries[0])
  })
})

describe('GET C/audit/export as text/csv', () => {
  it('has the entries of the list, with the same filters', async () => {
    for (const query of ['', '?kind=BarOpened', '?subjectType=crane']) {
      const { status, body, headers } = await csv(query)
      if (query.endsWith('crane')) {
        expect(status).toBe(400)
        continue
      }
      expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
      expect(headers.get('content-disposition')).toMatch(/^attachment; filename="heatmark-.*\.csv"$/)
      const [first, ...lines] = String(body).trimEnd().split('\r\n')
      expect(first).toMatch(/^position,eventId,occurredAt,.*,correlationId$/)
      const entries = await trail(query)
      expect(lines.map((line) => Number(line.split(',')[0]))).toEqual(entries.map(({ position }) => position))
      expect(lines[0]).toContain(entries[0]!.message.replaceAll('"', '""'))
    }
  })

  it('writes a text that looks like a formula as a text', async () => {
    await company.createTag(company.admin, '=HYPERLINK("x")')
    const { body } = await csv('?kind=TagCreated')
    expect(body).toContain(`,"'=HYPERLINK(""x"")",`)
  })

  it('refuses filters on an export that is always whole', async () => {
    for (const accept of ['application/zip', 'application/x-ndjson']) {
      const { status, body } = await auditor.send('GET', 'audit/export?kind=BarOpened', {
        headers: { accept },
      })
      expect([status, body.errors?.[0].parameter], accept).toEqual([400, 'kind'])
    }
  })
})

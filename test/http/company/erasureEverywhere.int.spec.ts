import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { concurrently } from '../../../src/lib/concurrently.ts'
import { projections } from '../../../src/projections/all.ts'
import { connectEventStore } from '../../../src/stores/eventStoreDb/connect.ts'
import { connectPostgres, quoteIdentifier } from '../../../src/stores/postgres/postgres.ts'
import { call } from '../../support/call.ts'
import { own } from '../../support/own.ts'
import { sized } from '../../support/size.ts'
import { startTestService } from '../../support/testService.ts'
import { until } from '../../support/until.ts'
import { furnishCompany } from '../furnish.ts'
import { type Caller, type Company, newCompany, type Person } from '../people.ts'

/** After an erasure, the name is nowhere: in no answer, table, event or log, and on no node. */

const service = await own(startTestService({ API_RATE_LIMIT: '1000000' }))
const postgres = await own(connectPostgres({ url: service.settings.DATABASE_URL!, name: 'spec', size: 2 }))

/** Return the tables of the database that hold the text in some row. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await postgres.query<{ schema: string; name: string }>(
    `SELECT table_schema AS schema, table_name AS name FROM information_schema.tables
     WHERE table_schema LIKE 'heatmark%' ORDER BY 1, 2`,
  )
  expect(tables.length).toBeGreaterThan(20)
  const found: string[] = []
  for (const { schema, name } of tables) {
    const rows = await postgres.query(
      `SELECT 1 FROM ${quoteIdentifier(schema)}.${quoteIdentifier(name)} t WHERE position($1 in t::text) > 0 LIMIT 1`,
      [text],
    )
    if (rows.length > 0) found.push(name)
  }
  return found
}

async function eventsWith(text: string): Promise<string[]> {
  const store = connectEventStore(service.settings.EVENTSTORE_URL!)
  const found: string[] = []
  for await (const event of store.readAll(0)) if (JSON.stringify(event).includes(text)) found.push(event.type)
  await store.close()
  return found
}

describe('a name that a person has left everywhere', () => {
  const surname = `Quackenbush-${randomUUID().slice(0, 8)}`
  let company: Company
  let zeb: Person
  let ids: Record<string, string>
  let readers: Record<string, Caller>

  /** Do something of every kind, by token and by API key. */
  const leaveTraces = async () => {
    const send = (method: string, path: string, body: unknown) => zeb.send(method, path, { body })
    const made = await furnishCompany(company.companyId, send)
    const { millCertTagId, millCertificationId, barId } = made
    const done = async (by: Caller, method: string, path: string, body?: unknown) => {
      const { status, body: answer } = await by.send(method, path, { body })
      expect(status, `${method} ${path}: ${JSON.stringify(answer)}`).toBeLessThan(300)
      return answer
    }
    await done(zeb, 'PUT', `millcert-tags/${millCertTagId}`, { name: 'Retest', color: '#123456' })
    await done(zeb, 'DELETE', `millcert-tags/${millCertTagId}`)
    await done(zeb, 'POST', `millcert-tags/${millCertTagId}/restore`)
    await done(zeb, 'PUT', `millcert/certificates/${millCertificationId}`, {
      grade: 'S355J2+N',
      inspectionDocument: '3.1',
    })
    for (const step of ['approve', 'start', 'complete'])
      await done(zeb, 'POST', `production-plan-bars/${barId}/${step}`)
    const [pack] = await done(zeb, 'GET', 'rule-packs')
    await done(zeb, 'POST', `rule-packs/${pack.id}/subscribe`)
    const key = await company.createKey(zeb)
    await company.createTag(key, 'By key')
    await done(zeb, 'POST', '/api/me/keys/roll')
    const keys = await done(company.admin, 'GET', 'api-keys')
    ids = { ...made, tagId: millCertTagId, userId: zeb.userId, keyId: keys[0].keyId, rulePackId: pack.id }
  }

  /** Return the GETs of the OpenAPI document whose answers hold the surname, for each of these readers. */
  const answersWithName = async (...roles: readonly string[]): Promise<string[]> => {
    const { paths } = (await call('GET', `${service.url}/openapi.json`)).body
    const gets = Object.keys(paths).filter((path) => paths[path].get)
    expect(gets.length).toBeGreaterThan(35)
    const asked = gets.flatMap((path) => roles.map((role) => ({ path, role })))
    const found = await concurrently(8, asked, async ({ path, role }) => {
      const filled = path.replace(/\{(\w+)\}/g, (_, name) => {
        const id = name === 'tagId' && path.includes('order-tags') ? ids.orderTagId : ids[name]
        return encodeURIComponent(id ?? 'tag-name-taken')
      })
      const { body } = await readers[role]!.send('GET', filled)
      return JSON.stringify(body ?? '').includes(surname) ? [`${role} ${path}`] : []
    })
    return found.flat()
  }

  beforeAll(async () => {
    company = await newCompany(service)
    zeb = await company.admit(`Zebulon ${surname}`, ['Admin'])
    const named = async (role: string, roles: string[]) =>
      [role, await company.admit(`${role} Reader`, roles)] as const
    const members = ['Viewer', 'Editor', 'Planner', 'Cutter', 'Quality', 'Auditor', 'Admin']
    const token = await service.identity.token({ oid: 'operator', name: 'Operator', roles: ['Operator'] })
    const operator: Caller = { send: (method, path) => call(method, `${service.url}${path}`, { token }) }
    readers = {
      ...Object.fromEntries(await Promise.all(members.map((role) => named(role, [role])))),
      operator,
    }
    readers.key = await company.createKey(readers.Admin as Person)
    await leaveTraces()
  })

  it('is in many places before', async () => {
    const answers = await answersWithName('Viewer', 'Admin')
    expect(answers).toContain('Viewer /api/company/{companyId}/millcert-tags/{tagId}/history')
    expect(answers).toContain('Admin /api/company/{companyId}/members')
    expect(await tablesWith(surname)).toEqual(['person'])
  })

  it('is in no answer, to no role, once the erasure is answered', async () => {
    const erased = await company.erase(zeb.userId, '&confirm=true')
    expect(erased).toMatchObject({ status: 200, body: { responsibleActs: 3 } })
    expect(await answersWithName(...Object.keys(readers))).toEqual([])
  })

  it('is in no table, no event and no line of the log', async () => {
    expect(await tablesWith(surname)).toEqual([])
    expect(await eventsWith(surname)).toEqual([])
    expect(service.logged()).toContain(zeb.userId)
    expect(service.logged()).not.toContain(surname)
  })

  it.each(projections.map(({ name }) => name))(
    'leaves %s as its events fold, and it is rebuilt',
    async (name) => {
      for (const kind of ['verify', 'rebuild']) {
        const { body } = await readers.operator!.send('POST', `/api/ops/projections/${name}/${kind}`)
        let run = body
        await until(async () => {
          run = (await readers.operator!.send('GET', `/api/ops/runs/${body.runId}`)).body
          return run.status !== 'running'
        })
        expect(run).toMatchObject({ status: 'succeeded', ...(kind === 'verify' && { differenceCount: 0 }) })
      }
    },
  )

  it('is in no answer after the rebuilds either', async () => {
    // Which lists a role may read does not depend on what they hold.
    expect(await answersWithName('Admin', 'operator')).toEqual([])
    expect(await tablesWith(surname)).toEqual([])
  })
})

describe('two nodes', () => {
  const [rounds, atOnce] = sized([6, 3], [50, 10])

  it(`show the name in no list after the answer, in ${rounds} erasures`, async () => {
    const other = await service.startAnother()
    const addresses = [service.url, other.url]
    let erasures = 0
    const erase = async (worker: number) => {
      const company = await newCompany(service)
      const eve = await company.admit(`Eve ${worker}`, ['Editor'])
      const tagId = await company.createTag(eve)
      const shown = async (at: string) => [
        ...(await company.namesInHistory(tagId, at)),
        ...Object.values(await company.membersByName(at)),
      ]
      while (erasures < rounds) {
        erasures += 1
        // Both nodes keep the list with the name in memory.
        await until(async () =>
          (await Promise.all(addresses.map(shown))).every((names) => names[0] === `Eve ${worker}`),
        )
        expect((await company.erase(eve.userId)).status).toBe(200)
        const after = (await Promise.all(addresses.map(shown))).flat()
        expect(after).not.toContain(`Eve ${worker}`)
        expect(after).toContain('erased person')
        await company.admit('', ['Editor'], eve.userId)
        const body = { name: `Round ${erasures}`, color: '#123456' }
        expect((await eve.send('PUT', `millcert-tags/${tagId}`, { body })).status).toBe(200)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, (_, worker) => erase(worker)))
    await other.stop()
  })
})

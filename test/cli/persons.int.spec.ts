import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { companyStream } from '../../src/domain/company/company.ts'
import type { EventStore } from '../../src/stores/eventStore.ts'
import { connectEventStore } from '../../src/stores/eventStoreDb/connect.ts'
import { type Company, newCompany, type Person } from '../http/people.ts'
import { runHeatmark } from '../support/heatmark.ts'
import { own } from '../support/own.ts'
import { startTestService } from '../support/testService.ts'

/** `heatmark persons`, beside a running service. */

let store: EventStore
let env: Record<string, string>
let company: Company
let eve: Person
const service = await own(startTestService())
beforeAll(async () => {
  const { EVENTSTORE_URL, DATABASE_URL } = service.settings
  env = { EVENTSTORE_URL: EVENTSTORE_URL!, DATABASE_URL: DATABASE_URL! }
  store = connectEventStore(env.EVENTSTORE_URL!)
})
afterAll(() => store.close())
beforeEach(async () => {
  company = await newCompany(service)
  eve = await company.admit('Eve Eder', ['Editor', 'Planner'])
})

const erase = (userId: string, ...more: string[]) =>
  runHeatmark(['persons', 'erase', userId, '--company', company.companyId, ...more], env)

describe('persons erase', () => {
  it('does and answers the same as the HTTP interface', async () => {
    const tagId = await company.createTag(eve)
    expect(await company.namesInHistory(tagId)).toEqual(['Eve Eder'])
    const { code, stdout, stderr } = await erase(eve.userId, '--json')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(await company.namesInHistory(tagId)).toEqual(['erased person'])
    expect(await company.membersByName()).toEqual({ [company.admin.userId]: 'Ada Ahlers' })
    expect((await eve.send('GET', 'millcert-tags')).status).toBe(403)
    const events = await Array.fromAsync(store.readStream(companyStream(company.companyId), 0))
    expect(events.slice(-2)).toMatchObject([
      { type: 'MemberRemoved', metadata: { actor: { id: 'heatmark-cli', kind: 'service' } } },
      { type: 'PersonErased', data: { userId: eve.userId } },
    ])
    expect((await company.erase(eve.userId)).body).toEqual(JSON.parse(stdout))
  })

  it('refuses a record that must be kept, until it is confirmed, and says what it cannot reach', async () => {
    const bar = { stockLengthMm: 6_000, grade: 'S355J2+N', cuts: [] }
    const plan = await eve.send('POST', 'production-plans', { body: { name: 'Week 10', bars: [bar] } })
    const { barId } = plan.body.bars[0]
    expect((await eve.send('POST', `production-plan-bars/${barId}/approve`)).status).toBe(204)

    const refused = await erase(eve.userId)
    expect(refused).toMatchObject({ code: 1, stderr: '' })
    expect(refused.stdout).toMatch(
      /has done 1 act of responsibility [^\n]*nothing was changed\n→ use --confirm /,
    )
    expect(JSON.parse((await erase(eve.userId, '--json')).stdout)).toMatchObject({
      userId: eve.userId,
      code: 'record-must-be-kept',
      count: 1,
    })
    expect((await company.membersByName())[eve.userId]).toBe('Eve Eder')

    const erased = await erase(eve.userId, '--confirm')
    expect(erased).toMatchObject({ code: 0, stderr: '' })
    expect(erased.stdout).toMatch(/\nnobody can name the author of 1 act of responsibility any more\n/)
    expect(erased.stdout.split('the erasure cannot reach:\n')[1]!.match(/^ {2}\S+(?=: )/gm)).toEqual([
      '  copies',
      '  backups',
      '  free-text',
    ])
    expect((await company.membersByName())[eve.userId]).toBeUndefined()
  })

  it('refuses a stranger, the last Admin, and wrong usage', async () => {
    const refused: [code: number, message: string, ...args: string[]][] = [
      [3, 'There is no member nobody in this company.', 'nobody', '--company', company.companyId],
      [
        3,
        "is the company's last Admin, so nothing was recorded.",
        company.admin.userId,
        '--company',
        company.companyId,
      ],
      [2, "required option '--company <id>' not specified", eve.userId],
      [2, 'visible ASCII characters without "/"', 'eve/eder', '--company', company.companyId],
    ]
    for (const [code, message, ...args] of refused) {
      const ran = await runHeatmark(['persons', 'erase', ...args], env)
      expect(ran, message).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) })
    }
  })
})

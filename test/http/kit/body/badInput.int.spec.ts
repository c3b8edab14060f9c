import { randomUUID } from 'node:crypto'
import { parse } from 'node:querystring'
import { expect, it } from 'vitest'
import { asParameter, check } from '../../../../src/http/kit/body/validate.ts'
import { concurrently } from '../../../../src/lib/concurrently.ts'
import { type Answer, call, type Sent } from '../../../support/call.ts'
import type { Variant } from '../../../support/jsonSchema.ts'
import { own } from '../../../support/own.ts'
import { startTestService } from '../../../support/testService.ts'
import { bodiesOf, type DescribedRoute, describedRoutes, forgedCursors, withBody } from './describedRoutes.ts'

/** Inputs that badInput.unit.spec.ts finds just right never fail on the stores. */

const service = await own(startTestService())
// This caller may do everything, so only the request could be wrong.
const caller = { oid: 'admin', name: 'Admin', roles: ['PlatformAdmin', 'Operator'] }
const token = await service.identity.token(caller)

interface Request extends Sent {
  readonly described: DescribedRoute
  readonly what: string
  readonly ids?: Readonly<Record<string, string>>
  readonly query?: string
}

const send = ({ described: { route }, ids = {}, query = '', ...sent }: Request): Promise<Answer> => {
  const idOf = (name: string) => ids[name] ?? (name === 'companyId' ? service.companyId : randomUUID())
  const path = route.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(idOf(name)))
  return call(route.method.toUpperCase(), service.url + path + query, { token, ...sent })
}
/** Several at a time: what each one meets does not depend on the others. */
const sendAll = <One extends Request>(
  requests: readonly One[],
  expectAnswer: (answer: Answer, request: One, what: string) => void,
) =>
  concurrently(16, requests, async (one) =>
    expectAnswer(await send(one), one, `${one.described.title}: ${one.what}`),
  )
const requestOf =
  (described: DescribedRoute) =>
  ({ body, ...variant }: Variant) => ({ ...variant, described, body: JSON.stringify(body) })
const newRecord = ({ route }: DescribedRoute) => !/\{(?!companyId)/.test(route.path)

/** A rule of the domain beyond the schema: the keys of an Admin end. */
const ruledOut = /^POST \/api\/me\/keys: \/expiresInDays/

it('accepts values at a bound', async () => {
  const requests = withBody
    .filter(newRecord)
    .flatMap((described) => bodiesOf(described, `s${randomUUID().slice(0, 8)}`).map(requestOf(described)))
  await sendAll(
    requests.filter(({ wrong }) => !wrong),
    ({ status, body }, { path }, what) => {
      expect(status, what).toBeLessThan(500)
      if (status !== 400 || ruledOut.test(what)) return
      // A member that another one excludes is wrong by its presence, whatever its value.
      const wrong = body.errors?.filter(({ code }: { code: string }) => code !== 'unknown-member') ?? []
      expect(
        wrong.map((fault: { path: string }) => fault.path),
        what,
      ).not.toContain(path)
    },
  )
})

const paged = describedRoutes.filter(({ isPaged }) => isPaged)
const queryOf = (...pairs: (readonly [string, string])[]) =>
  `?${new URLSearchParams(pairs.map((pair) => [...pair]))}`

it('never fails with a forged cursor that could be a key of the list', async () => {
  const requests = paged.flatMap((described) =>
    forgedCursors
      .map((cursor) => ({ described, what: cursor, query: queryOf(['cursor', cursor]) }))
      .filter(
        ({ query }) => check(described.route.query, parse(query.slice(1)), asParameter).faults.length === 0,
      ),
  )
  expect(requests.length).toBeGreaterThan(0)
  await sendAll(requests, ({ status, body }, _, what) => {
    if (status === 400)
      expect(body.errors, what).toMatchObject([{ parameter: 'cursor', code: 'wrong-format' }])
    else expect([200, 404], what).toContain(status)
  })
})

it('accepts every filter, twice where it may be repeated', async () => {
  const requests = paged.flatMap((described) =>
    described.filters.map(({ name, right, isList }) => ({
      described,
      what: name,
      name,
      query: queryOf([name, right], ...(isList ? [[name, right] as const] : [])),
    })),
  )
  await sendAll(requests, ({ status }, { described, name }, what) => {
    // No profile has this id.
    if (name === 'profileId') return expect(status, what).toBe(400)
    // No record has the id of the request, and not every list of a record is there without it.
    expect(newRecord(described) ? [200] : [200, 404], what).toContain(status)
  })
})

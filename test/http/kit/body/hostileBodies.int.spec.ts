import { describe, expect, it } from 'vitest'
import type { LargeBodies } from '../../../../src/admission/largeBodies.ts'
import { routes } from '../../../../src/http/routes.ts'
import { type Answer, call } from '../../../support/call.ts'
import { startHttp } from '../../../support/http.ts'
import { startIdentityProvider } from '../../../support/identity.ts'
import { own } from '../../../support/own.ts'

/** Bodies made to cost much: they are refused, in little time and few bytes. */

const C = '/api/company/3f2b8c1e-5a47-4c0d-9b6e-1d2f3a4b5c6d'

const identity = await own(startIdentityProvider())
const service = await own(startHttp({ identity, routes, members: () => ['Admin'] }))
const token = await identity.token({ oid: 'anyone' })

const send = (method: string, path: string, body: string, type = 'application/json'): Promise<Answer> =>
  call(method, `${service.url}${C}/${path}`, { token, body, headers: { 'content-type': type } })
const fault = (path: string, code: string, message: string) => ({ path, pointer: `#${path}`, code, message })
const bytesOf = ({ body }: Answer): number => Buffer.byteLength(JSON.stringify(body))
const repeated = (count: number, member: string): string => Array(count).fill(member).join(',')
const listed = 1_000

describe('faults', () => {
  const body = `{"${'k'.repeat(20_000)}":[${repeated(2_500, '"\\u0000"')}]}`

  it('are listed up to a thousand, and none repeats a long name', async () => {
    const answer = await send('POST', 'orders', body)
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation-failed' } })
    expect(answer.body.errors).toHaveLength(listed)
    expect(answer.body.errors[0].path).toBe(`/${'k'.repeat(199)}…`)
    expect(answer.body.detail).toContain(`The first ${listed} are listed, and there may be more.`)
    expect(bytesOf(answer)).toBeLessThan(400_000)
  })

  it('in a line of a bulk are listed alike', async () => {
    const answer = await send('POST', 'orders/bulk', body, 'application/x-ndjson')
    expect(answer.status).toBe(200)
    const only = JSON.parse(answer.body)
    expect(only).toMatchObject({ line: 1, status: 400 })
    expect(only.errors).toHaveLength(listed)
    expect(bytesOf(answer)).toBeLessThan(400_000)
  })

  it('do not quote half a character', async () => {
    const answer = await send('POST', 'orders', `{"x${'😀'.repeat(200)}":1}`)
    for (const { path } of answer.body.errors) expect(path.isWellFormed()).toBe(true)
  })
})

it('of more than 16 KiB, or of unknown length, takes a turn of its caller', async () => {
  const turns: string[] = []
  const largeBodies: LargeBodies = (caller, work) => {
    turns.push(caller)
    return work()
  }
  const other = await startHttp({ identity, routes, members: () => ['Admin'], largeBodies })
  const post = (body: string | ReadableStream) =>
    fetch(`${other.url}${C}/orders`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body,
      duplex: 'half',
    } as RequestInit)
  const turnsFor = async (body: string | ReadableStream) => {
    turns.length = 0
    expect((await post(body)).status).toBe(400)
    return turns
  }
  expect(await turnsFor(' '.repeat(16_384))).toEqual([])
  expect(await turnsFor(' '.repeat(16_385))).toEqual(['anyone'])
  expect(await turnsFor(new Blob([' ']).stream())).toEqual(['anyone'])
  await other.close()
})

describe('a body with as many bytes or values as may be', () => {
  const filled = ({ start, member, end }: { start: string; member: string; end: string }): string => {
    const room = 1_048_576 - start.length - end.length
    return start + repeated(Math.min(49_900, Math.floor(room / (member.length + 1))), member) + end
  }
  const long = (length: number) => `{"${'k'.repeat(length)}":`

  it.each([
    ['POST', 'orders', 'NULs under a long name', `${long(500_000)}[`, '"\\u0000"', ']}'],
    [
      'POST',
      'orders',
      'NULs under many long names',
      `${long(10_000).repeat(30)}[`,
      '"\\u0000"',
      `]${'}'.repeat(30)}`,
    ],
  ])('is refused at once: %s %s, %s', async (method, path, _, start, member, end) => {
    const body = filled({ start: start!, member: member!, end: end! })
    const started = process.cpuUsage()
    const answer = await send(method!, path!, body)
    expect(answer.status).toBe(400)
    expect(bytesOf(answer)).toBeLessThan(400_000)
    // The time of the processor, in microseconds, because other specs run beside this one.
    expect(process.cpuUsage(started).user).toBeLessThan(2_000_000)
  })

  it.each([
    ['POST', '/api/me/keys'],
    ['POST', '/api/companies'],
    ['PUT', `${C}/members/zoe`],
  ])('is larger than a body of a few short fields may be: %s %s', async (method, path) => {
    const admin = await identity.token({ oid: 'petra', roles: ['PlatformAdmin'] })
    const answer = (bytes: number) =>
      call(method, service.url + path, { token: admin, body: `{"x":"${'x'.repeat(bytes - 8)}"}` })
    expect(await answer(16_384)).toMatchObject({ status: 400, body: { code: 'validation-failed' } })
    expect(await answer(16_385)).toMatchObject({ status: 413, body: { code: 'body-too-large' } })
  })

  it('with more values is refused before they are read', async () => {
    const started = process.cpuUsage()
    const answer = await send('POST', 'production-plans', `{"name":"x","bars":[${repeated(200_000, '[]')}]}`)
    expect(answer).toMatchObject({ status: 413, body: { code: 'too-many-values' } })
    expect(answer.body.detail).toBe(
      'The body has more than 50000 values, so nothing was done. Send it in parts.',
    )
    expect(process.cpuUsage(started).user).toBeLessThan(1_000_000)
  })

  it('with too many line items gets that one fault', async () => {
    const items = Array.from({ length: 24_000 }, (_, n) => `{"lineNumber":${n % 23_999}}`).join(',')
    const answer = await send('POST', 'orders', `{"orderNumber":"many","lineItems":[${items}]}`)
    expect(answer.body.errors).toEqual([
      fault('/lineItems', 'out-of-bounds', 'must have at most 500 members'),
    ])
  })
})

it('refuses a number beyond the range of a double instead of storing null', async () => {
  const body = '{"name":"far","filters":{"most":1e400,"least":-1e400,"far":1e308}}'
  const answer = await send('POST', 'optimisation/filter-profiles', body)
  const message = 'must be within ±1.8e308'
  expect(answer).toMatchObject({ status: 400, body: { code: 'validation-failed' } })
  expect(answer.body.errors).toEqual([
    fault('/filters/most', 'out-of-bounds', message),
    fault('/filters/least', 'out-of-bounds', message),
  ])
})

it('names the expected type of a value of the wrong type', async () => {
  const lineItem = '{"lineNumber":1.5,"lengthMm":"6000","quantity":1,"cancelled":"no"}'
  const order = await send('POST', 'orders', `{"orderNumber":5,"customer":[],"lineItems":[${lineItem},null]}`)
  expect(order.body.errors).toEqual([
    fault('/orderNumber', 'wrong-type', 'must be a string'),
    fault('/customer', 'wrong-type', 'must be a string'),
    fault('/lineItems/0/lineNumber', 'wrong-type', 'must be a whole number from 1 to 9999'),
    fault('/lineItems/0/lengthMm', 'wrong-type', 'must be a number'),
    fault('/lineItems/0/cancelled', 'wrong-type', 'must be true or false'),
    fault('/lineItems/1', 'wrong-type', 'must be an object'),
  ])
  const certificate = '{"certificateNumber":"C","heatNumber":"H","grade":"G","inspectionDocument":"3.1"'
  for (const issuedOn of ['"2026-02-30"', '""', '20260331']) {
    const answer = await send('POST', 'millcert/certificates', `${certificate},"issuedOn":${issuedOn}}`)
    const code = issuedOn === '20260331' ? 'wrong-type' : 'wrong-format'
    expect(answer.body.errors).toEqual([fault('/issuedOn', code, 'must be a date, as in 2026-03-31')])
  }
})

it.each([
  ['limit=-1', 'limit', 'must be a whole number from 1 to 1000'],
  ['limit=1001', 'limit', 'must be a whole number from 1 to 1000'],
  ['limit=1&limit=2', 'limit', 'must be given only once'],
  [`cursor=${'a'.repeat(9_000)}`, 'cursor', 'is not a cursor of this list'],
])('a parameter that is wrong says what is right: %s', async (query, path, message) => {
  const answer = await call('GET', `${service.url}${C}/orders?${query}`, { token })
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ path, message }] } })
})

it.each([
  String.raw`\udfff`,
  String.raw`\ud800/~`,
  `${'k'.repeat(199)}${String.raw`\ud83d`}`,
  `${'k'.repeat(300)}${String.raw`\udfff`}`,
])('names a member by a pointer although its name cannot be stored: %s', async (name) => {
  for (const [path, type] of [
    ['orders', 'application/json'],
    ['orders/bulk', 'application/x-ndjson'],
  ]) {
    const { body } = await send('POST', path!, `{"${name}":1,"lineItems":[{"${name}":1}]}`, type!)
    const answer = typeof body === 'string' ? JSON.parse(body) : body
    expect(answer).toMatchObject({ status: 400, code: 'validation-failed' })
    const unstorable = answer.errors.filter(({ code }: { code: string }) => code === 'not-storable')
    expect(unstorable).toHaveLength(2)
    for (const { path, pointer } of unstorable) {
      expect(path.isWellFormed()).toBe(true)
      expect(path.startsWith(decodeURIComponent(pointer.slice(1)))).toBe(true)
    }
  }
})

it('drops no member of a body silently, whatever its name', async () => {
  const path = 'millcert/certificates/7a1d2c3b-4e5f-4a6b-8c7d-9e0f1a2b3c4d'
  const content = '"grade":"S355J2","inspectionDocument":"3.1"'
  for (const name of ['__proto__', 'constructor', 'toString', ''])
    for (const part of ['chemistry', 'mechanical']) {
      const answer = await send('PUT', path, `{${content},"${part}":{"${name}":5}}`)
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: `/${part}/${name}` }] } })
    }
})

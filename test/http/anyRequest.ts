import { randomUUID } from 'node:crypto'
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import { expect } from 'vitest'
import type { Route } from '../../src/http/kit/routing/route.ts'
import { sample } from '../support/jsonSchema.ts'
import { describedPaths, resolve } from '../support/operations.ts'
import type { TestService } from '../support/testService.ts'
import { unheardIn } from '../support/unheard.ts'
import { furnishCompany } from './furnish.ts'
import { type Ids, permissionTable } from './permissionTable.ts'

/** Requests to any route, right but for the parts that a spec puts in, by a caller who may do everything. */

const described = ({ method, path }: Route) => describedPaths[path]![method]
const bodyTypeOf = (route: Route): string =>
  route.lines?.mediaType ?? Object.keys(described(route).requestBody.content)[0]!

/** A body that the schema of a route allows. No two are equal where it says so. */
export const sampleOf = (route: Route): unknown =>
  sample(described(route).requestBody.content[bodyTypeOf(route)].schema, resolve, randomUUID().slice(0, 8))

/** A text as it is sent in a header: its bytes, without those that no request can have. */
export const asHeader = (text: string) =>
  Buffer.from(text)
    .toString('latin1')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones
    .replaceAll(/[\0-\x08\n-\x1f\x7f]/g, '')
    .slice(0, 1_000)
export const asTarget = (text: string) => asHeader(text).replaceAll(/[\t #]/g, '')
export const coded = (text: string) => encodeURIComponent(text.toWellFormed())

export interface AnyRequest {
  readonly route: Route
  /** Path parameters as they stand in the path. */
  readonly path?: Readonly<Record<string, string>>
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface AnyAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

export async function openRequests(service: TestService) {
  const token = await service.identity.token({
    oid: 'admin',
    name: 'Admin',
    roles: ['PlatformAdmin', 'Operator'],
  })
  const furnished = await furnishCompany(service.companyId, (method, path, body) =>
    service.send('admin', method, path, { body }),
  )
  const ids: Ids = { ...furnished, userId: 'viewer', keyId: randomUUID() }

  const idOf = (name: string, { path, method }: Route): string => {
    // Only reads meet the records: a change that succeeds would take them away from the requests after it.
    if (method !== 'get' && name !== 'companyId') return randomUUID()
    if (name === 'tagId') return path.includes('order-tag') ? ids.orderTagId : ids.millCertTagId
    return (ids as unknown as Record<string, string>)[name] ?? randomUUID()
  }
  const tableOf = ({ method, path }: Route) => permissionTable[`${method.toUpperCase()} ${path}`]
  const pathOf = (route: Route, given: AnyRequest['path'] = {}) =>
    route.path.replace(/\{(\w+)\}/g, (_, name) => given[name] ?? encodeURIComponent(idOf(name, route)))

  /** Headers may hold any byte, which `fetch` refuses. */
  const send = async ({ route, path, query, headers = {}, body }: AnyRequest): Promise<AnyAnswer> => {
    const sent = request(service.url, {
      method: route.method.toUpperCase(),
      path: pathOf(route, path) + (query ?? tableOf(route)?.query?.(ids) ?? ''),
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': bodyTypeOf(route) }),
        ...headers,
      },
    })
    sent.end(body)
    const response = await new Promise<IncomingMessage>((answered, failed) => {
      sent.once('response', answered).once('error', failed)
    })
    return { status: response.statusCode!, headers: response.headers, text: await textOf(response) }
  }

  return {
    send,
    bodyOf: (route: Route): unknown => tableOf(route)?.body?.(ids) ?? sampleOf(route),
    /** Send them, several at a time, and return their number. None may fail in the service. */
    async tryAll(all: readonly AnyRequest[]): Promise<number> {
      const left = all.values()
      const worker = async () => {
        for (const one of left) expectAnswer(one, await send(one))
      }
      expect(await unheardIn(() => Promise.all(Array.from({ length: 12 }, worker)))).toEqual([])
      return all.length
    },
  }
}

interface ShownFault {
  readonly path: string
  readonly pointer?: string
  readonly parameter?: string
}

/** A refusal names its places, in texts that every program can read. */
export function expectNamed(errors: readonly ShownFault[], what: string): void {
  expect(errors.length, what).toBeGreaterThan(0)
  for (const { path, pointer, parameter } of errors) {
    expect(path.isWellFormed(), what).toBe(true)
    if (parameter !== undefined) expect(parameter, what).toBe(path)
    else expect(path.startsWith(decodeURIComponent(pointer!.slice(1))), what).toBe(true)
  }
}

/** A company has one export under way at a time. */
const mayBeBusy = ({ path }: Route) => path.endsWith('/exports')

function expectAnswer({ route, ...sent }: AnyRequest, { status, text }: AnyAnswer): void {
  const what = `${route.method} ${route.path} ${JSON.stringify(sent).slice(0, 400)}: ${text.slice(0, 300)}`
  if (!mayBeBusy(route)) expect(status, what).toBeLessThan(500)
  if (status !== 400) return
  const { code, errors } = JSON.parse(text)
  expect(code, what).toMatch(/^[a-z-]+$/)
  if (code === 'validation-failed') expectNamed(errors, what)
}

import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import type { Route } from '../../src/http/kit/routing/route.ts'
import { routes } from '../../src/http/routes.ts'
import { isObject, placesIn, withMembers } from '../support/jsonPlaces.ts'
import { nastyTexts } from '../support/nastyTexts.ts'
import { own } from '../support/own.ts'
import { sized } from '../support/size.ts'
import { startTestService } from '../support/testService.ts'
import { unheardIn } from '../support/unheard.ts'
import { asHeader, asTarget, coded, expectNamed, openRequests, sampleOf } from './anyRequest.ts'

/**
 * Every route, with nasty texts at every place where a caller may put one. None makes the service fail, and a refusal
 * names the place. The texts are dealt out to the places, and more of them to each in a full run.
 */

const service = await own(
  startTestService({ API_RATE_LIMIT: '1000000000', AUTH_FAILURE_LIMIT: '1000000000' }),
)
const requests = await openRequests(service)

let dealt = 0
/** Return the next texts. */
const deal = (usual: number): readonly string[] => {
  const count = Math.min(sized(1, 15) * usual, nastyTexts.length)
  dealt += count
  return Array.from({ length: count }, (_, n) => nastyTexts[(dealt + n) % nastyTexts.length]!)
}

// A rebuild takes long, and is asked for by a name alone.
const tried = routes.filter(({ path }) => !path.startsWith('/api/ops/projections/'))
const withBody = tried.filter(({ body, file, lines }) => body && !file && !lines)
const posted = (ending: string): Route =>
  tried.find(({ path, method }) => method === 'post' && path.endsWith(ending))!

it('are 300', () => expect(new Set(nastyTexts).size).toBe(300))

it('as names of members', async () => {
  const all = withBody.flatMap((route) => {
    const objects = [...placesIn(requests.bodyOf(route))].filter(({ part }) => isObject(part))
    return objects.map(({ part, put }, index) => {
      const mark = randomUUID()
      const members = withMembers(part as object, index === 0 ? nastyTexts : deal(20))
      return { route, body: JSON.stringify(put(mark)).replace(`"${mark}"`, () => members) }
    })
  })
  expect(await requests.tryAll(all)).toBeGreaterThan(withBody.length)
})

it('as values of members', async () => {
  const all = withBody.flatMap((route) => {
    const places = [...placesIn(requests.bodyOf(route))]
    return deal(5).map((text, n) => ({ route, body: JSON.stringify(places[n % places.length]!.put(text)) }))
  })
  expect(await requests.tryAll(all)).toBeGreaterThanOrEqual(5 * withBody.length)
})

it('as parameters of the path', async () => {
  const all = tried.flatMap((route) =>
    [...route.path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) =>
      deal(1).flatMap((text) => [
        { route, path: { [name!]: coded(text) } },
        { route, path: { [name!]: asTarget(text).replaceAll('?', '') } },
      ]),
    ),
  )
  expect(await requests.tryAll(all)).toBeGreaterThan(300)
})

it('as parameters of the query', async () => {
  const all = tried.flatMap((route) => {
    const parameters = Object.keys(route.query.shape)
    const one = (name: string, value: string) => ({ route, query: `?${name}=${value}` })
    const names = deal(60).map((text) => `${coded(text.slice(0, 100))}=1`)
    const raw = deal(20).map((text) => `a=${asTarget(text).slice(0, 100)}`)
    return [
      ...[names, raw].map((pairs) => ({ route, query: `?${pairs.slice(0, 60).join('&')}` })),
      ...parameters.flatMap((name) => deal(1).map((text) => one(name, coded(text)))),
      ...(parameters.includes('cursor') ? cursors(deal(1)).map((cursor) => one('cursor', cursor)) : []),
    ]
  })
  expect(await requests.tryAll(all)).toBeGreaterThan(300)
})

/** Cursors are opaque to callers, but nothing keeps a caller from making one. */
function cursors(texts: readonly string[]): readonly string[] {
  const keys = texts.flatMap((text) => [
    [text],
    [text, randomUUID()],
    [text, text, randomUUID()],
    [text, randomUUID(), 1],
    [Number(text), Number(text)],
    { after: [text, randomUUID()], filters: text },
    text,
  ])
  return keys.map((key) => Buffer.from(JSON.stringify(key)).toString('base64url'))
}

const commonHeaders = [
  'accept accept-encoding accept-language content-type content-encoding cookie origin forwarded traceparent',
  'x-forwarded-for x-forwarded-proto x-forwarded-host heatmark-portal sec-fetch-site expect referer user-agent',
  'access-control-request-method if-modified-since if-unmodified-since',
].flatMap((names) => names.split(' '))

/** The service waits for a position far away, and says so by 503. */
const isFarAway = (name: string, text: string) => name === 'min-position' && /^\d+$/.test(text)

it('as headers', async () => {
  const one = (route: Route, names: readonly string[], texts: readonly string[]) => ({
    route,
    headers: Object.fromEntries(names.map((name, n) => [name, asHeader(texts[n % texts.length]!)])),
    ...(withBody.includes(route) && { body: JSON.stringify(requests.bodyOf(route)) }),
  })
  const all = tried.flatMap((route) => [
    ...Object.keys(route.headers.shape).flatMap((name) =>
      deal(1).flatMap((text) => (isFarAway(name, text) ? [] : [one(route, [name], [text])])),
    ),
    one(route, commonHeaders, deal(commonHeaders.length)),
  ])
  const me = tried.find(({ operationId }) => operationId === 'getMe')!
  const credentials = nastyTexts.map((text, n) => {
    const [name, before] = [
      ['authorization', ''] as const,
      ['authorization', 'Bearer '] as const,
      ['service-api-key', 'hmk_'] as const,
      ['host', ''] as const,
    ][n % 4]!
    return one(me, [name], [before + text])
  })
  expect(await requests.tryAll([...all, ...credentials])).toBeGreaterThan(300)
})

it('as names of files, and within files', async () => {
  const type = (name: string) => ({ 'content-type': name })
  const named = deal(100).map((text) => ({
    route: posted('/documents'),
    query: `?fileName=${coded(text)}`,
    headers: type('application/json'),
    body: JSON.stringify({ of: randomUUID() }),
  }))
  await requests.tryAll(named)
  const { body: kept } = await service.send('admin', 'GET', 'documents?limit=1000')
  expect(kept.length).toBeGreaterThan(30)
  const content = tried.find(({ path }) => path.endsWith('/documents/{documentId}/content'))!
  await requests.tryAll(
    kept.map(({ documentId }: { documentId: string }) => ({ route: content, path: { documentId } })),
  )

  // With NUL in it, a file is no text.
  const cells = nastyTexts
    .filter((text) => !text.includes('\0'))
    .map((text) => `"${text.replaceAll('"', '""')}"`)
  const certificates = ['certificateNumber,heatNumber,grade', ...cells.map((cell) => `${cell},H,${cell}`)]
  const orders = ['orderNumber,lineNumber,lengthMm,quantity', ...cells.map((cell) => `O,${cell},${cell},1`)]
  const headings = [`certificateNumber,${cells.slice(0, 290)}`, `C,${cells.slice(0, 290)}`]
  const imported = (kind: string, name: string, body: string) =>
    ({ route: posted('/imports'), query: `?kind=${kind}`, headers: type(name), body }) as const
  const json = nastyTexts.map((text) => `{${JSON.stringify(text)}:[${JSON.stringify(text)}]}`)
  await requests.tryAll([
    imported('orders', 'text/csv', orders.join('\n')),
    imported('certificates', 'text/csv', headings.join('\n')),
    imported('certificates', 'application/json', `{"Certificate":[${json}]}`),
  ])
  const { status, text } = await requests.send(imported('certificates', 'text/csv', certificates.join('\n')))
  expect({ status, rows: JSON.parse(text).rows?.length > 250 }).toEqual({ status: 200, rows: true })
})

it('as the target of a request', async () => {
  const raw = (target: string) =>
    new Promise<string>((answered, failed) => {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
      socket.once('error', failed)
      const head = `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`
      socket.end(Buffer.from(head, 'latin1'))
      textOf(socket).then(answered, failed)
    })
  const targets = nastyTexts.map((text, n) => {
    const plain = asTarget(text)
    const forms = [
      `/${plain}`,
      `http://${plain}/openapi.json?${plain}`,
      `/docs/${plain}`,
      `/problems/${plain}`,
    ]
    return forms[n % forms.length]!
  })
  const unheard = await unheardIn(async () => {
    for (let at = 0; at < targets.length; at += 50)
      for (const [n, answer] of (await Promise.all(targets.slice(at, at + 50).map(raw))).entries()) {
        expect(answer, targets[at + n]).toMatch(/^HTTP\/1.1 [234]/)
        expect(answer, `the page of Express: ${targets[at + n]}`).not.toContain('<title>Error</title>')
      }
  })
  expect(unheard).toEqual([])
})

it.each(tried.filter(({ lines }) => lines))('in the lines of $path', async (route) => {
  const single = tried.find(({ path, method }) => `${path}/bulk` === route.path && method === 'post')!
  const fresh = () => sampleOf(single)
  const withText = (text: string, at: number) => {
    const places = [...placesIn(fresh())]
    return JSON.stringify(places[at % places.length]!.put(text))
  }
  const lines = nastyTexts.flatMap((text, n) => [
    ...(n % 5 === 0 ? [JSON.stringify(fresh())] : []),
    withMembers({}, [text]),
    withText(text, n),
    text.replaceAll('\n', ''),
  ])
  const answers: { status: number; code?: string; errors?: [] }[] = []
  const unheard = await unheardIn(async () => {
    const { text } = await requests.send({ route, body: lines.join('\n') })
    answers.push(
      ...text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    )
  })
  expect(unheard).toEqual([])
  expect(answers).toHaveLength(lines.filter((line) => !/^[ \t\r]*$/.test(line)).length)
  expect(answers.filter(({ status }) => status >= 500)).toEqual([])
  expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThanOrEqual(nastyTexts.length / 5)
  for (const { code, errors } of answers) if (code === 'validation-failed') expectNamed(errors!, route.path)
})

it('and everything still works afterwards', async () => {
  expect(await service.notReady()).toEqual([])
  for (const list of ['millcert/certificates', 'orders', 'production-plans', 'audit', 'documents'])
    expect((await service.send('admin', 'GET', `${list}?limit=1000`)).status, list).toBe(200)
})

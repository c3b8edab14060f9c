import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fetchToken, readDevFile } from '../../src/cli/runningService.ts'
import { defaultDataDir } from '../../src/config.ts'
import type { Route } from '../../src/http/kit/routing/route.ts'
import { ownDocument } from '../rulePacks/ownDocument.ts'
import { createBrowser, fromPage } from '../support/browser.ts'
import { operationOf, operations } from '../support/operations.ts'
import { readDevFile as readWithPeople } from '../support/serviceProcess.ts'
import { type Example, hasSchema, hasSucceeded, withoutExample } from './withoutExample.ts'

/**
 * `npm run examples` takes the examples of the OpenAPI document from the service that `npm start` runs on a new data
 * directory, and writes them to the file that the document is built with. Do not edit that file by hand.
 */

// biome-ignore lint/suspicious/noExplicitAny: the script knows the shape of its answers.
type Answer = any

const file = new URL('../../src/http/kit/serviceRoutes/examples.json', import.meta.url).pathname
const dev = readDevFile(process.env)
if (!dev) throw new Error('no service found: start one with "npm start"')
const { baseUrl } = dev
const company = `/api/company/${dev.companyId}`
const examples: Record<string, Example> = {}

const certificate = {
  ...{ certificateNumber: 'MC-2026-0815', heatNumber: 'H 4711', standard: 'EN 10025-2', grade: 'S355J2+N' },
  ...{ inspectionDocument: '3.1', manufacturer: 'Ostwerk', productForm: 'Plate', thicknessMm: 20 },
  mechanical: { reHMpa: 361, rmMpa: 520, a5Percent: 24, kvJoule: 22, kvTemperatureC: -20 },
}
const { millCertificationId } = await take('planner', 'POST', 'millcert/certificates', 201, certificate)
const oneCertificate = `millcert/certificates/${millCertificationId}`
await take('planner', 'POST', 'millcert/certificates', 409, { ...certificate, grade: 'S235JR' })
await take('planner', 'POST', 'millcert/certificates', 400, { certificateNumber: 'MC-2026-0816', grade: '' })

const { documentId } = await takeUpload('documents?fileName=MC-2026-0815.pdf', {
  ...{ mediaType: 'application/pdf', content: '%PDF-1.7\n%%EOF\n' },
})
await take('planner', 'PUT', `${oneCertificate}/documents/${documentId}`, 200)
await take('planner', 'DELETE', `documents/${documentId}`, 409)

const { importId, proposal } = await takeUpload(
  'imports?kind=certificates',
  {
    mediaType: 'text/csv',
    content: 'Zeugnis;Schmelze;Werkstoff;EN 10204;C\nMC-2026-0819;H 4712;S355J2+N;3.1;0,17\n',
  },
  200,
)
await take('planner', 'POST', `imports/${importId}/confirm`, 200, { proposal, decisions: [] })

const tagId = await takeTags('millcert-tags', millCertificationId, {
  ...{ name: 'Charpy too low', color: '#c00', severity: 'Block' },
})
await take('viewer', 'GET', oneCertificate, 200)
await take('viewer', 'GET', `millcert/certificates/${randomUUID()}`, 404)
await take('viewer', 'GET', 'millcert/certificates?heatNumber=h%204711', 200)
await take('viewer', 'GET', 'millcert/certificates?heat=H', 400)
await take('planner', 'PUT', oneCertificate, 200, { ...certificate, thicknessMm: 25 })
await take('planner', 'PATCH', oneCertificate, 200, { grade: 'S355J0+N' })
await take('planner', 'PATCH', oneCertificate, 412, { grade: 'S355J2+N' }, { 'If-Match': '"0"' })
await take('viewer', 'PATCH', oneCertificate, 403, { grade: 'S355J2+N' })

const line = { lineNumber: 10, grade: 'S355J0+N', profile: 'HEA 200', lengthMm: 2_900, quantity: 3 }
const order = { orderNumber: 'SO-1001', customer: 'Bridge & Beam', executionClass: 'EXC3', lineItems: [line] }
const { orderId, lineItems } = await take('planner', 'POST', 'orders', 201, order)
const [{ lineItemId }] = lineItems
await take('planner', 'PUT', `orders/${orderId}`, 200, { customer: 'Bridge & Beam Ltd' })
await take('planner', 'PATCH', `orders/${orderId}`, 200, { requiredInspectionDocument: '3.1' })
const orderTagId = await takeTags('order-tags', orderId, { name: 'Rush', color: '#f80' })

const cut = { orderId, lineItemId, lengthMm: 2_900, status: 'Accepted' }
const bar = { stockLengthMm: 6_000, grade: 'S355J0+N', millCertificationId, cuts: [cut] }
const { planId, bars } = await take('planner', 'POST', 'production-plans', 201, {
  ...{ name: 'Saw 1', bars: [bar] },
})
const [{ barId, cuts }] = bars
const [{ cutId }] = cuts
const oneBar = `production-plan-bars/${barId}`
const [{ barId: bare }] = await take('planner', 'POST', `production-plans/${planId}/bars`, 201, {
  bars: [{ ...bar, millCertificationId: null, cuts: [] }],
})
await take('cutter', 'PUT', `production-plan-bars/${bare}/certificate`, 200, { heatNumber: 'H 4711' })
await take('viewer', 'GET', oneBar, 200)
await take('planner', 'PUT', `${oneBar}/cuts/${cutId}`, 200, { status: 'Proposed' })
await take('planner', 'PUT', `${oneBar}/cuts/${cutId}`, 200, { status: 'Accepted' })
await take('planner', 'POST', `${oneBar}/start`, 409)
await take('planner', 'POST', `${oneBar}/approve`, 409)
const { findings } = await take('viewer', 'GET', `${oneBar}/verdict`, 200)
const measuredAgain = { reason: 'The toughness was measured again: 31 J at -20 °C.', reference: 'DR-2026-17' }
await take('quality', 'POST', `${oneBar}/override`, 200, {
  ...measuredAgain,
  findings: blocking(findings),
})
await takeFloor()
await take('viewer', 'GET', `orders/${orderId}/traceability`, 200)
await take('viewer', 'GET', `${oneCertificate}/usage`, 200)
for (const step of ['approve', 'start', 'complete']) await take('planner', 'POST', `${oneBar}/${step}`, 204)
const dispatch = { date: '2026-03-02', reference: 'DN 17', cutIds: [cutId] }
await take('planner', 'POST', `orders/${orderId}/dispatches`, 409, dispatch)
const { dispatchId } = await take('quality', 'POST', `orders/${orderId}/dispatches`, 201, {
  ...{ ...dispatch, override: { reason: 'The site needs this piece first.' } },
})
await take('viewer', 'GET', 'recalls?heatNumber=H%204711', 200)
const packing = await take('planner', 'POST', `orders/${orderId}/packs`, 202, { cutIds: [cutId] })
const issued = async () => (await take('viewer', 'GET', `runs/${packing.runId}`, 200)).result
let pack = await issued()
while (pack === null) pack = await issued()

await take('admin', 'POST', 'exports', 202)

const profiles = 'optimisation/filter-profiles'
const profile = { name: 'Offcuts', filters: { minMm: 500 } }
const { profileId } = await take('editor', 'POST', profiles, 201, profile)
await take('editor', 'PUT', `${profiles}/${profileId}`, 200, { ...profile, filters: { minMm: 600 } })
await take('editor', 'PATCH', `${profiles}/${profileId}`, 200, { filters: { grade: 'S355J2+N' } })

const chosen = { parameters: { edition: '2008' } }
for (const step of ['preview', 'subscribe'])
  await take('admin', 'POST', `rule-packs/en1090-2-inspection-documents/${step}`, 200, chosen)
await take('admin', 'POST', 'rule-packs/en1090-2-inspection-documents/unsubscribe', 200)
await take('admin', 'POST', 'rule-packs', 201, ownDocument)
await take('admin', 'POST', 'rule-packs', 400, { ...ownDocument, tables: {} })
await take('admin', 'PUT', `rule-packs/${ownDocument.id}`, 200, {
  ...ownDocument,
  name: 'Limits of the yard',
})
const rulePackId = 'en10025-2-mechanical'
for (const step of ['preview', 'subscribe', 'upgrade'])
  await take('admin', 'POST', `rule-packs/${rulePackId}/${step}`, 200)
await take('admin', 'PUT', 'release-policy', 200, { severities: { 'certificate-not-released': 'Block' } })

// A certificate that is registered after a subscription has its tags at once.
const other = await take('planner', 'POST', 'millcert/certificates', 201, {
  ...{ ...certificate, certificateNumber: 'MC-2026-0816' },
})
const another = `millcert/certificates/${other.millCertificationId}`
await take('viewer', 'GET', `millcert-tags/assignments/${other.millCertificationId}/explanations`, 200)
await take('quality', 'POST', `${another}/release`, 200, { note: 'Compared with the stamp.' })
const reason = 'The stamp is of another heat.'
await take('quality', 'POST', `${another}/reopen`, 200, { reason })
await take('quality', 'POST', `${another}/reject`, 200, { reason })
await take('quality', 'POST', `${another}/void`, 200, { reason, replacedBy: millCertificationId })
await take('quality', 'POST', `${another}/reinstate`, 200, { reason })

const imported = ['MC-2026-0817', 'MC-2026-0818'].map((certificateNumber) => ({
  ...{ ...certificate, certificateNumber },
  mechanical: { ...certificate.mechanical, kvJoule: 31 },
}))
const lines = await takeLines('planner', 'millcert/certificates/bulk', imported)
await take('quality', 'POST', 'millcert/certificates/release', 200, {
  ...{ ids: lines.map(({ id }) => id), note: 'Compared with the stamps.' },
})
await takeLines('planner', 'orders/bulk', [{ ...order, orderNumber: 'SO-1002' }])

await take('auditor', 'GET', 'history/log/keys', 200)
await take('auditor', 'GET', 'history/log/anchors', 200)
await take('auditor', 'GET', 'history/log/consistency?from=3&to=7', 200)
await take('auditor', 'GET', 'audit?limit=3&subjectType=certificate', 200)
await take('viewer', 'GET', 'settings', 200)
await take('admin', 'PUT', 'settings', 200, { requireIfMatch: true })
await take('planner', 'PATCH', oneCertificate, 428, { grade: 'S355J2+N' })
await take('admin', 'PUT', 'settings', 200, { requireIfMatch: false }, { 'If-Match': '*' })
await take('platformAdmin', 'POST', '/api/companies', 201, { name: 'Third Steel Works' })
const userId = randomUUID()
await take('admin', 'PUT', `members/${userId}`, 200, { roles: ['Planner', 'Cutter'] })

await take('viewer', 'GET', '/api/me', 200)
await take(undefined, 'GET', '/api/me', 401)
const keys = '/api/me/keys'
await take('admin', 'POST', keys, 201, { label: 'Nightly import', expiresInDays: 365 })
const { keyId } = await take('admin', 'POST', `${keys}/roll`, 200)

const projection = '/api/ops/projections/filterProfiles'
const verifying = await take('operator', 'POST', `${projection}/verify`, 202)
while ((await take('operator', 'GET', `/api/ops/runs/${verifying.runId}`, 200)).status === 'running');
const { runId } = await take('operator', 'POST', `${projection}/rebuild`, 202)

await readEverything({
  ...{ companyId: dev.companyId, millCertificationId, documentId, orderId, lineItemId, planId, barId },
  ...{ cutId, dispatchId, packId: pack.packId },
  ...{
    profileId,
    rulePackId: ownDocument.id,
    version: '1',
    userId,
    keyId,
    runId,
    name: 'filterProfiles',
    code: 'tag-name-taken',
  },
})
await take('admin', 'POST', `rule-packs/${rulePackId}/unsubscribe`, 200)
await take('admin', 'DELETE', `members/${userId}?erase=true`, 200)
await takeLogout()

writeFileSync(file, `${JSON.stringify(examples, null, 2)}\n`)
console.log(`wrote ${relative('.', file)} with examples of ${Object.keys(examples).length} operations`)
const without = withoutExample(operations, examples)
if (without.length > 0) console.log(`without: ${without.join(', ')}`)

/** Take the operations on tags of a family. Return the id of a tag, which the subject keeps. */
async function takeTags(family: string, subjectId: string, tag: object): Promise<string> {
  const { tagId } = await take('editor', 'POST', family, 201, tag)
  await take('editor', 'POST', family, 409, tag)
  const manual = `${family}/assignments/${subjectId}/manual`
  await take('editor', 'PUT', manual, 200, { tagIds: [tagId] })
  await take('editor', 'PUT', `${manual}/${tagId}`, 200)
  await take('viewer', 'GET', family, 200)
  await take('auditor', 'GET', `${family}/${tagId}/history`, 200)
  await take('editor', 'PUT', `${family}/${tagId}`, 200, { name: 'Impact energy too low', color: '#c00' })
  await take('editor', 'PATCH', `${family}/${tagId}`, 200, { description: 'Ask Quality before you cut.' })
  const deleted = await take('editor', 'POST', family, 201, { name: 'Old', color: '#888' })
  await take('editor', 'DELETE', `${family}/${deleted.tagId}`, 204)
  await take('viewer', 'GET', `${family}/deleted`, 200)
  await take('editor', 'POST', `${family}/${deleted.tagId}/restore`, 200)
  return tagId
}

/** Take the steps of bars on the floor, and their corrections. */
async function takeFloor(): Promise<void> {
  const [sawn, planned, dropped] = [await addBar([cut]), await addBar(), await addBar()]
  const { findings } = await take('viewer', 'GET', `${sawn.path}/verdict`, 200)
  const override = { ...measuredAgain, findings: blocking(findings) }
  await take('admin', 'POST', `${sawn.path}/approve`, 204, { override })
  await take('admin', 'POST', `production-plans/${planId}/approve`, 200, {
    ...{ barIds: [planned.barId], override },
  })
  await take('cutter', 'POST', `${sawn.path}/start`, 204, { performedAt: new Date().toISOString() })
  await take('quality', 'POST', `${sawn.path}/cuts/${sawn.cuts[0].cutId}/scrap`, 200, {
    reason: 'The saw ran off its line.',
  })
  await take('cutter', 'POST', `${sawn.path}/complete`, 204, { performedAt: new Date().toISOString() })
  await take('quality', 'POST', `${sawn.path}/revert`, 200, {
    to: 'Started',
    reason: 'Completed by mistake.',
  })
  await take('planner', 'POST', `${dropped.path}/cancel`, 200, { reason: 'The stock length is not there.' })
}

/** Add a bar to the plan, and return it with its path. */
async function addBar(cuts: readonly object[] = []): Promise<Answer> {
  const body = { bars: [{ ...bar, cuts }] }
  const [added] = await take('planner', 'POST', `production-plans/${planId}/bars`, 201, body)
  return { ...added, path: `production-plan-bars/${added.barId}` }
}

/** The keys of the findings that an override has to name. */
function blocking(findings: Answer[]): string[] {
  return findings.flatMap(({ severity, key }) => (severity === 'Block' ? [key] : []))
}

/** Take the answer of every GET that has none yet, at the addresses of the records that were made. */
async function readEverything(ids: Readonly<Record<string, string>>): Promise<void> {
  for (const route of operations.filter((one) => one.method === 'get' && hasSchema(one))) {
    if (hasSucceeded(examples[route.operationId]?.answers ?? {})) continue
    const tag = route.path.includes('/order-tags') ? orderTagId : tagId
    const known: Readonly<Record<string, string>> = { ...ids, tagId: tag }
    const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
    if (!names.every((name) => known[name])) continue
    const address = route.path.replace(/\{(\w+)\}/g, (_, name) => known[name]!)
    await take(readerOf(route), 'GET', address, 200, undefined, { Accept: 'application/json' })
  }
}

function readerOf({ access }: Route): string | undefined {
  if (access === 'open') return undefined
  return typeof access === 'object' && 'platform' in access ? 'operator' : 'admin'
}

/** Send a request and return its answer. The first of each status is kept as an example, with the first request that succeeds. */
async function take(
  client: string | undefined,
  method: string,
  path: string,
  status: number,
  body?: object,
  headers = {},
): Promise<Answer> {
  const address = path.startsWith('/') ? path : `${company}/${path}`
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
  const response = await fetch(baseUrl + address, {
    method,
    headers: {
      ...(client && { Authorization: `Bearer ${await fetchToken(dev!, client)}` }),
      ...(body && { 'Content-Type': type }),
      ...headers,
    },
    body: body ? JSON.stringify(body) : null,
  })
  const answer = status === 204 ? undefined : await response.json()
  if (response.status !== status)
    throw new Error(
      `${method} ${address}: ${response.status} instead of ${status}: ${JSON.stringify(answer)}. Is the data directory new?`,
    )
  if (!body && answer === undefined) return undefined
  const example = exampleFor(method, address)
  if (body && status < 300) example.request ??= body
  if (answer !== undefined) example.answers[status] ??= shown(answer)
  return answer
}

/** Send these records as lines, and return the lines of the answer. The first of both is kept as an example. */
async function takeLines(client: string, path: string, records: readonly object[]): Promise<Answer[]> {
  const address = `${company}/${path}`
  const response = await fetch(baseUrl + address, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${await fetchToken(dev!, client)}`,
      'Content-Type': 'application/x-ndjson',
    },
    body: records.map((record) => `${JSON.stringify(record)}\n`).join(''),
  })
  const text = await response.text()
  const answers: Answer[] = text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  if (response.status !== 200 || answers.some(({ code }) => code))
    throw new Error(`POST ${address}: ${response.status} ${text}`)
  const example = exampleFor('POST', address)
  example.request ??= records[0]
  example.answers[200] ??= answers[0]
  return answers
}

/** Upload a file, and return its record. A file is no example of a body. */
async function takeUpload(
  path: string,
  { mediaType, content }: { readonly mediaType: string; readonly content: string },
  wanted = 201,
): Promise<Answer> {
  const address = `${company}/${path}`
  const response = await fetch(baseUrl + address, {
    method: 'POST',
    headers: {
      ...{ Authorization: `Bearer ${await fetchToken(dev!, 'planner')}`, 'Content-Type': mediaType },
    },
    body: content,
  })
  const answer = (await response.json()) as Answer
  if (response.status !== wanted) throw new Error(`POST ${address}: ${JSON.stringify(answer)}`)
  exampleFor('POST', address).answers[wanted] = answer
  return answer
}

/** Log in as a person does in a browser, and take the logout. */
async function takeLogout(): Promise<void> {
  const { userName, password } = readWithPeople(process.env.HEATMARK_DATA_DIR || defaultDataDir).people.viewer
  const browser = createBrowser()
  await browser.submit(await browser.open(`${baseUrl}/portal/login`), { userName, password })
  const address = '/portal/logout'
  const response = await browser.send(baseUrl + address, { method: 'POST', headers: fromPage })
  if (!response.ok) throw new Error(`POST ${address}: ${response.status} ${await response.text()}`)
  const { location } = (await response.json()) as { location: string }
  exampleFor('POST', address).answers[200] = { location: location.replace(/(?<=id_token_hint=)[^&]+/, '…') }
}

function exampleFor(method: string, address: string): Example {
  const { operationId } = operationOf(method, address.split('?')[0]!)!
  examples[operationId] ??= { answers: {} }
  return examples[operationId]
}

/** Shorten a list, and hide a secret. */
function shown(answer: Answer): Answer {
  if (Array.isArray(answer)) return answer.slice(0, 2)
  return answer.key ? { ...answer, key: `${answer.prefix}…` } : answer
}

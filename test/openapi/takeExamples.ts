import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fetchToken, readDevFile } from '../../src/cli/runningService.ts'
import { operationOf } from '../support/operations.ts'

/**
 * `npm run examples` takes the examples of the OpenAPI document from the service that `npm start` runs on a new data
 * directory, and writes them to the file that the document is built with.
 */

interface Example {
  request?: unknown
  /** By status. */
  readonly answers: Record<string, unknown>
}

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

const tag = { name: 'Charpy too low', color: '#c00', severity: 'Block' }
const { tagId } = await take('editor', 'POST', 'millcert-tags', 201, tag)
await take('editor', 'POST', 'millcert-tags', 409, tag)
const manual = `millcert-tags/assignments/${millCertificationId}/manual`
await take('editor', 'PUT', manual, 200, { tagIds: [tagId] })
await take('viewer', 'GET', 'millcert-tags', 200)
await take('auditor', 'GET', `millcert-tags/${tagId}/history`, 200)
await take('editor', 'PUT', `millcert-tags/${tagId}`, 200, { name: 'Impact energy too low', color: '#c00' })

await take('viewer', 'GET', oneCertificate, 200)
await take('viewer', 'GET', `millcert/certificates/${randomUUID()}`, 404)
await take('viewer', 'GET', 'millcert/certificates?heatNumber=h%204711', 200)
await take('viewer', 'GET', 'millcert/certificates?heat=H', 400)
await take('planner', 'PATCH', oneCertificate, 200, { grade: 'S355J0+N' })
await take('planner', 'PATCH', oneCertificate, 412, { grade: 'S355J2+N' }, { 'If-Match': '"0"' })
await take('viewer', 'PATCH', oneCertificate, 403, { grade: 'S355J2+N' })

const line = { lineNumber: 10, grade: 'S355J0+N', profile: 'HEA 200', lengthMm: 2_900, quantity: 3 }
const order = { orderNumber: 'SO-1001', customer: 'Bridge & Beam', executionClass: 'EXC3', lineItems: [line] }
const { orderId, lineItems } = await take('planner', 'POST', 'orders', 201, order)
await take('viewer', 'GET', `orders/${orderId}`, 200)
const cut = { orderId, lineItemId: lineItems[0].lineItemId, lengthMm: 2_900, status: 'Accepted' }
const bar = { stockLengthMm: 6_000, grade: 'S355J0+N', millCertificationId, cuts: [cut] }
const plan = await take('planner', 'POST', 'production-plans', 201, { name: 'Saw 1', bars: [bar] })
const oneBar = `production-plan-bars/${plan.bars[0].barId}`
await take('viewer', 'GET', oneBar, 200)
await take('planner', 'POST', `${oneBar}/start`, 409)
await take('viewer', 'GET', `orders/${orderId}/traceability`, 200)
await take('viewer', 'GET', `${oneCertificate}/usage`, 200)

await take('editor', 'POST', 'optimisation/filter-profiles', 201, {
  name: 'Offcuts',
  filters: { minMm: 500 },
})
await take('viewer', 'GET', 'settings', 200)
await take('admin', 'PUT', 'settings', 200, { requireIfMatch: true })
await take('planner', 'PATCH', oneCertificate, 428, { grade: 'S355J2+N' })
await take('admin', 'PUT', 'settings', 200, { requireIfMatch: false }, { 'If-Match': '*' })
await take('admin', 'GET', 'members', 200)
await take('viewer', 'GET', '/api/me', 200)
await take(undefined, 'GET', '/api/me', 401)

writeFileSync(file, `${JSON.stringify(examples, null, 2)}\n`)
console.log(`wrote ${relative('.', file)} with examples of ${Object.keys(examples).length} operations`)

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
  const answer = await response.json()
  if (response.status !== status)
    throw new Error(
      `${method} ${address}: ${response.status} instead of ${status}: ${JSON.stringify(answer)}. Is the data directory new?`,
    )
  const { operationId } = operationOf(method, address.split('?')[0]!)!
  examples[operationId] ??= { answers: {} }
  const example = examples[operationId]
  if (body && status < 300) example.request ??= body
  example.answers[status] ??= answer
  return answer
}

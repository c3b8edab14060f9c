import { createHash, randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { unzipSync } from 'fflate'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ExportFiles } from '../../../examples/verify/verifyExport.ts'
import { tellPack, verifyPack } from '../../../examples/verify/verifyPack.ts'
import { isIncluded } from '../../proofs/signing/verifyProof.ts'
import { startBucket } from '../../support/bucket.ts'
import { own } from '../../support/own.ts'
import { type ClientName, startTestService } from '../../support/testService.ts'
import { until } from '../../support/until.ts'

/** The pack of an order over the whole service. */

let made: Awaited<ReturnType<typeof makeOrder>>
const service = await own(startTestService())
beforeAll(async () => {
  made = await makeOrder()
})

/** The service that requests go to, if it is not the first one. */
let at: string | undefined

const send = async (client: ClientName, method: string, path: string, body?: object | string) => {
  const more = { ...(body !== undefined && { body }), ...(at !== undefined && { at }) }
  const answer = await service.send(client, method, path, more)
  expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300)
  return answer.body
}
const plan = (path: string, body?: object) => send('planner', 'POST', path, body)

/** Two orders whose pieces are on the same bars; the first bar is Completed, and its certificate has an original. */
async function makeOrder() {
  const certificate = async (number: string) => {
    const content = { certificateNumber: number, heatNumber: `H ${number}`, grade: 'S355J2+N' }
    const { millCertificationId } = await plan('millcert/certificates', {
      ...content,
      standard: 'EN 10025-2',
      inspectionDocument: '3.1',
      manufacturer: 'Huta Jarzębiec',
    })
    return millCertificationId as string
  }
  const order = async (orderNumber: string) =>
    plan('orders', {
      orderNumber,
      customer: `Kunde ${orderNumber}`,
      executionClass: 'EXC2',
      requiredInspectionDocument: '3.1',
      lineItems: [{ lineNumber: 10, grade: 'S355J2', lengthMm: 1_000, quantity: 2 }],
    })
  const [papered, bare] = [await certificate(randomUUID()), await certificate(randomUUID())]
  const original = JSON.stringify({ sheet: randomUUID() })
  const { documentId } = await send('planner', 'POST', 'documents?fileName=C-1.json', original)
  await send('planner', 'PUT', `millcert/certificates/${papered}/documents/${documentId}`)
  const [own, other] = [await order(randomUUID()), await order(randomUUID())]
  const cutFor = ({ orderId, lineItems }: typeof own) => ({
    orderId,
    lineItemId: lineItems[0].lineItemId,
    lengthMm: 1_000,
    status: 'Accepted',
  })
  const { bars } = await plan('production-plans', {
    name: 'Week 17',
    bars: [papered, bare].map((millCertificationId) => ({
      stockLengthMm: 6_000,
      grade: 'S355J2',
      millCertificationId,
      cuts: [{ ...cutFor(own), pieceMark: 'R 1' }, cutFor(other)],
    })),
  })
  const [first, second] = bars
  for (const step of ['approve', 'start', 'complete'])
    await plan(`production-plan-bars/${first.barId}/${step}`)
  return { own, other, original, papered, bare, first, second }
}

async function ended(runId: string) {
  await until(async () => {
    const { status } = await send('viewer', 'GET', `runs/${runId}`)
    return status === 'succeeded' || status === 'failed'
  })
  return send('viewer', 'GET', `runs/${runId}`)
}

async function issue(orderId: string, body?: object) {
  const run = await ended((await plan(`orders/${orderId}/packs`, body)).runId)
  expect(run).toMatchObject({ kind: 'orderPack', status: 'succeeded', progress: 1, error: null })
  return run.result as { packId: string; documentId: string; sha256: string; bytes: number }
}

async function contentOf(orderId: string, packId: string): Promise<Buffer> {
  const path = `/api/company/${service.companyId}/orders/${orderId}/packs/${packId}/content`
  const authorization = `Bearer ${await service.identity.token({ oid: 'auditor' })}`
  const response = await fetch((at ?? service.url) + path, { headers: { authorization } })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip'])
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="Order-pack-/)
  return Buffer.from(await response.arrayBuffer())
}

const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes!).toString()
const lines = (bytes: Uint8Array | undefined) =>
  text(bytes)
    .split('\n')
    .filter((line) => line !== '')
const filesOf = (files: Record<string, Uint8Array>): ExportFiles => ({
  paths: Object.keys(files),
  bytes: async (path) => Buffer.from(files[path]!),
  stream: async function* (path) {
    yield Buffer.from(files[path]!)
  },
})
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')

describe('the pack of an order', () => {
  it('has the originals, the data, and the proof that the log of the company has every event', async () => {
    const { orderId, orderNumber } = made.own
    const issued = await issue(orderId)
    const zip = await contentOf(orderId, issued.packId)
    expect([sha256(zip), zip.length]).toEqual([issued.sha256, issued.bytes])
    const files = unzipSync(zip)

    const manifest = JSON.parse(text(files['manifest.json']))
    expect(manifest).toMatchObject({ format: 'heatmark-order-pack/1', orderNumber, cleared: false })
    for (const file of manifest.files) expect(sha256(files[file.path]!)).toBe(file.sha256)
    expect(Object.keys(files).sort()).toEqual(
      [...manifest.files.map(({ path }: { path: string }) => path), 'manifest.json'].sort(),
    )
    expect(text(files['certificates/001-C-1.json'])).toBe(made.original)
    expect(text(files['cover.pdf']).startsWith('%PDF-')).toBe(true)
    expect(lines(files['data/cuts.csv'])).toHaveLength(3)
    expect(lines(files['data/certificates.csv'])).toHaveLength(3)

    const [, size, root] = lines(files['proof/checkpoint'])
    const proofs = lines(files['proof/inclusion.ndjson']).map((line) => JSON.parse(line))
    expect(proofs.length).toBeGreaterThan(5)
    for (const { entry, index, proof } of proofs) {
      const leafHash = createHash('sha256').update(Buffer.of(0)).update(entry).digest('base64')
      const inTree = { leafIdx: index, treeSize: Number(size), root: root!, leafHash, proof }
      expect(isIncluded(inTree)).toBe(true)
    }
    const hashes = new Set(proofs.map(({ entry }) => JSON.parse(entry).sha256))
    const history = lines(files['data/history.ndjson'])
    for (const line of history) expect(hashes).toContain(sha256(line))
    expect(history.some((line) => line.includes(sha256(made.original)))).toBe(true)
  })

  it('says what is missing, and is limited to the cuts that are asked for', async () => {
    const { orderId } = made.own
    const { packId } = await issue(orderId, { cutIds: [made.second.cuts[0].cutId] })
    const files = unzipSync(await contentOf(orderId, packId))
    const { missing, cutIds } = JSON.parse(text(files['manifest.json']))
    expect(cutIds).toEqual([made.second.cuts[0].cutId])
    expect(missing).toEqual([
      'Line 10: 1 piece is on bar 2 of plan "Week 17", which is Draft, not Completed.',
      expect.stringMatching(/^Certificate .* has no original\.$/),
    ])
    expect(Object.keys(files).filter((path) => path.startsWith('certificates/'))).toEqual([])
  })

  it('is listed, is a document of the company, and stays', async () => {
    const { orderId } = made.own
    const { packId, documentId } = await issue(orderId)
    const pack = await send('auditor', 'GET', `orders/${orderId}/packs/${packId}`)
    expect(pack).toMatchObject({ packId, documentId, cleared: false, cutIds: null, issuedBy: 'planner' })
    expect(await send('auditor', 'GET', `orders/${orderId}/packs`)).toContainEqual(pack)
    expect(await send('viewer', 'GET', `documents/${documentId}`)).toMatchObject({
      mediaType: 'application/zip',
      fileName: pack.fileName,
      sha256: pack.sha256,
    })
    for (const who of ['viewer', 'cutter', 'editor'] as const)
      expect((await service.send(who, 'GET', `documents/${documentId}/content`)).status, who).toBe(403)
    const refused = await service.send('planner', 'DELETE', `documents/${documentId}`)
    expect([refused.status, refused.body.code]).toEqual([409, 'document-attached'])
    const history = await send('viewer', 'GET', `orders/${orderId}/history`)
    expect(history[0]).toMatchObject({ kind: 'PackIssued' })
    expect(history[0].message).toContain('although the order was not cleared')
    expect(readdirSync(service.documentsFolder)).not.toContain('incoming.part')
  })
})

it('is kept in a bucket as well', async () => {
  process.env.AWS_ACCESS_KEY_ID ??= 'spec'
  process.env.AWS_SECRET_ACCESS_KEY ??= 'spec'
  const bucket = await startBucket()
  const another = await service.startAnother(bucket.settings)
  at = another.url
  try {
    const { own, original } = await makeOrder()
    const issued = await issue(own.orderId)
    const zip = await contentOf(own.orderId, issued.packId)
    expect([sha256(zip), zip.length]).toEqual([issued.sha256, issued.bytes])
    const files = unzipSync(zip)
    expect(text(files['certificates/001-C-1.json'])).toBe(original)
    expect(await verifyPack(filesOf(files), [text(files['proof/keys.json'])])).toMatchObject({ originals: 1 })
  } finally {
    at = undefined
    await another.stop()
    await bucket.stop()
  }
})

describe('the rule packs of a pack', () => {
  it('are named with their versions, and with who has compared them with the standard', async () => {
    const pack = 'rule-packs/completeness'
    await send('admin', 'POST', `${pack}/subscribe`)
    const { orderId } = (await makeOrder()).own
    const shown = async () => {
      const { packId } = await issue(orderId)
      const files = unzipSync(await contentOf(orderId, packId))
      return JSON.parse(text(files['data/order.json'])).rulePacks
    }
    const named = { rulePackId: 'completeness', name: expect.any(String), version: 1 }
    expect(await shown()).toEqual([{ ...named, validation: null }])
    const validation = { by: 'C. Weld', edition: 'EN 10168:2004', date: '2026-11-02', note: null }
    await send('admin', 'PUT', `${pack}/validation`, validation)
    expect(await shown()).toEqual([{ ...named, validation: { version: 1, ...validation } }])
  })
})

describe('a pack as of an earlier time', () => {
  it('has equal bytes for the same moment, whatever has happened since', async () => {
    const { own, other, papered } = await makeOrder()
    const { orderId } = own
    const attached = await service.send('planner', 'POST', 'documents', {
      body: JSON.stringify({ sheet: randomUUID() }),
    })
    const { documentId } = attached.body
    const put = await service.send(
      'planner',
      'PUT',
      `millcert/certificates/${papered}/documents/${documentId}`,
    )
    const position = Number(put.headers.get('commit-position'))
    const first = await issue(orderId, { asOf: position })

    await send('planner', 'PATCH', `orders/${orderId}`, { customer: 'Another' })
    const present = await issue(orderId)
    expect(present.sha256).not.toBe(first.sha256)
    expect(await issue(orderId, { asOf: String(position) })).toEqual(first)

    const files = unzipSync(await contentOf(orderId, first.packId))
    expect(JSON.parse(text(files['data/order.json'])).customer).toBe(own.customer)
    expect(JSON.parse(text(files['manifest.json'])).position).toBe(position)
    expect(Object.keys(files).filter((path) => path.startsWith('certificates/'))).toHaveLength(2)
    const verdict = await verifyPack(filesOf(files), [text(files['proof/keys.json'])])
    expect(verdict).toMatchObject({ originals: 2, isKeyTrusted: true })

    await send('planner', 'DELETE', `millcert/certificates/${papered}/documents/${documentId}`)
    await send('planner', 'DELETE', `documents/${documentId}`)
    const without = await issue(orderId, { asOf: position })
    const { missing } = JSON.parse(text(unzipSync(await contentOf(orderId, without.packId))['manifest.json']))
    expect(missing).toContainEqual(
      expect.stringMatching(/: the original “document.json” has been deleted since\.$/),
    )

    for (const [asOf, status] of [
      [Number.MAX_SAFE_INTEGER, 400],
      ['2999-01-01T00:00:00Z', 400],
      ['yesterday', 400],
      [1.5, 400],
      [0, 404],
    ] as const) {
      const refused = await service.send('planner', 'POST', `orders/${other.orderId}/packs`, {
        body: { asOf },
      })
      expect(refused.status, String(asOf)).toBe(status)
      if (status === 400) expect(refused.body.errors).toMatchObject([{ pointer: '#/asOf' }])
    }
  })
})

it('is a pack whose check says that all is well, and which original is missing', async () => {
  const { packId } = await issue(made.own.orderId)
  const files = unzipSync(await contentOf(made.own.orderId, packId))
  const verdict = await verifyPack(filesOf(files), [text(files['proof/keys.json'])])
  expect(verdict).toMatchObject({ originals: 1, cleared: false, isKeyTrusted: true })
  expect(verdict.withoutOriginal).toEqual([expect.stringContaining(' of heat H ')])
  expect(tellPack(verdict)).toMatch(
    /^the pack of order .* of Beispiel is unchanged: 1 originals, and \d+ events/,
  )
})

describe('a request for a pack', () => {
  it('has one run under one Idempotency-Key, which belongs to one body', async () => {
    const { orderId } = made.own
    const headers = { 'idempotency-key': randomUUID() }
    const first = await service.send('planner', 'POST', `orders/${orderId}/packs`, { headers })
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([202, null])
    expect(first.headers.get('location')).toBe(`/api/company/${service.companyId}/runs/${first.body.runId}`)
    await ended(first.body.runId)
    const again = await service.send('planner', 'POST', `orders/${orderId}/packs`, { headers })
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([202, 'true'])
    expect(again.body).toMatchObject({ runId: first.body.runId, status: 'succeeded' })
    const body = { cutIds: [made.first.cuts[0].cutId] }
    const other = await service.send('planner', 'POST', `orders/${orderId}/packs`, { headers, body })
    expect([other.status, other.body.code]).toEqual([422, 'idempotency-key-reused'])
    expect(again.body).toMatchObject({ kind: 'orderPack', orderId })
    expect(await send('viewer', 'GET', 'runs')).toContainEqual(again.body)
    const ofOrder = `runs?orderId=${orderId}`
    expect(await send('viewer', 'GET', `${ofOrder}&status=failed&status=succeeded`)).toContainEqual(
      again.body,
    )
    expect(await send('viewer', 'GET', `${ofOrder}&status=waiting&status=running`)).toEqual([])
    expect(await send('viewer', 'GET', `runs?orderId=${made.other.orderId}`)).toEqual([])
  })

  it('is refused for an unknown order, a cut of another order, and a caller who may not', async () => {
    const path = `orders/${made.own.orderId}/packs`
    const unknown = await service.send('planner', 'POST', `orders/${randomUUID()}/packs`)
    expect([unknown.status, unknown.body.code]).toEqual([404, 'order-not-found'])
    const foreign = made.first.cuts[1].cutId
    const refused = await service.send('planner', 'POST', path, { body: { cutIds: [foreign] } })
    expect([refused.status, refused.body.errors[0]]).toMatchObject([
      400,
      { code: 'unknown-record', cutId: foreign },
    ])
    expect((await service.send('viewer', 'POST', path)).status).toBe(403)
    const run = await service.send('viewer', 'GET', `runs/${randomUUID()}`)
    expect([run.status, run.body.code]).toEqual([404, 'run-not-found'])
  })
})

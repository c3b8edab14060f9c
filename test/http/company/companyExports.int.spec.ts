import { createHash, randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { unzipSync } from 'fflate'
import { afterAll, describe, expect, it } from 'vitest'
import {
  isCompanyExport,
  tellCompanyVerdict,
  verifyCompanyExport,
} from '../../../examples/verify/verifyCompanyExport.ts'
import { openExport, trustedIn } from '../../../examples/verify/verifyExport.ts'
import { own } from '../../support/own.ts'
import { type ClientName, startTestService } from '../../support/testService.ts'
import { until } from '../../support/until.ts'

/** The export of everything that a company has, over the whole service. */

const folder = mkdtempSync(join(tmpdir(), 'heatmark-exports-'))
const service = await own(startTestService())
afterAll(() => rmSync(folder, { recursive: true }))

const send = async (client: ClientName, method: string, path: string, body?: object | string) => {
  const answer = await service.send(client, method, path, body === undefined ? {} : { body })
  expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300)
  return answer.body
}

async function ended(runId: string) {
  await until(async () => {
    const { status } = await send('viewer', 'GET', `runs/${runId}`)
    return status === 'succeeded' || status === 'failed'
  })
  return send('viewer', 'GET', `runs/${runId}`)
}

async function exported() {
  const run = await ended((await send('admin', 'POST', 'exports')).runId)
  expect(run).toMatchObject({ kind: 'companyExport', status: 'succeeded', progress: 1, error: null })
  return run.result as { exportId: string; sha256: string; bytes: number; fileName: string; events: number }
}

async function download(exportId: string, headers: Record<string, string> = {}, client = 'admin') {
  const path = `/api/company/${service.companyId}/exports/${exportId}/content`
  const authorization = `Bearer ${await service.identity.token({ oid: client })}`
  const response = await fetch(service.url + path, { headers: { authorization, ...headers } })
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}

const newDocument = async (content: object, fileName: string) =>
  (await send('planner', 'POST', `documents?fileName=${fileName}`, JSON.stringify(content))).documentId

const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes!).toString()
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')

describe('the export of a company', () => {
  it('has the history, every document and the lists, and is checked offline', async () => {
    const certificate = {
      certificateNumber: 'MC-1',
      heatNumber: 'H 1',
      grade: 'S355J2+N',
      inspectionDocument: '3.1',
    }
    const { millCertificationId } = await send('planner', 'POST', 'millcert/certificates', certificate)
    const voided = await send('planner', 'POST', 'millcert/certificates', {
      ...certificate,
      heatNumber: 'H 2',
    })
    await send('quality', 'POST', `millcert/certificates/${voided.millCertificationId}/void`, {
      reason: 'Twice',
    })
    const kept = await newDocument({ sheet: 1 }, 'Ü 1.json')
    const detached = await newDocument({ sheet: 2 }, '2.json')
    await send('planner', 'PUT', `millcert/certificates/${millCertificationId}/documents/${kept}`)
    await send('planner', 'DELETE', `documents/${detached}`)

    const { exportId, fileName, ...said } = await exported()
    const { response, bytes } = await download(exportId)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip'])
    expect(response.headers.get('content-disposition')).toContain(fileName)
    expect(said).toMatchObject({ sha256: sha256(bytes), bytes: bytes.length })

    const files = unzipSync(bytes)
    const manifest = JSON.parse(text(files['manifest.json']))
    expect(manifest).toMatchObject({
      format: 'heatmark-company-export/1',
      companyId: service.companyId,
      checkpoint: { size: said.events },
    })
    const documents = Object.keys(files).filter((path) => path.startsWith('documents/'))
    expect(documents).toEqual([`documents/${kept}-U-1.json`])
    expect(JSON.parse(text(files[documents[0]!]))).toEqual({ sheet: 1 })
    const lists = Object.keys(files).filter((path) => path.startsWith('lists/'))
    expect(lists).not.toContain('lists/invitations.csv')
    expect(lists).toEqual(
      expect.arrayContaining([
        'lists/millcert-certificates.csv',
        'lists/orders.csv',
        'lists/production-plan-bars.csv',
        'lists/millcert-tags.csv',
        'lists/order-tags-deleted.csv',
        'lists/members.csv',
        'lists/audit.csv',
        'lists/production-plans.csv',
        'lists/documents.csv',
        'lists/optimisation-filter-profiles.csv',
      ]),
    )
    const rows = text(files['lists/millcert-certificates.csv']).trim().split('\r\n')
    expect(rows.map((row) => /,(Voided|Received|status),/.exec(row)?.[1])).toEqual([
      'status',
      'Received',
      'Voided',
    ])
    expect(text(files['lists/audit.csv']).trim().split('\r\n')).toHaveLength(said.events + 1)

    const [zip, keys] = [join(folder, fileName), join(folder, 'keys.json')]
    writeFileSync(zip, bytes)
    writeFileSync(keys, files['history/keys.json']!)
    const opened = openExport(zip)
    expect(isCompanyExport(opened)).toBe(true)
    const verdict = await verifyCompanyExport(opened, trustedIn({ keys: [keys] }))
    expect(verdict).toMatchObject({ events: said.events, documents: 1, isKeyTrusted: true })
    expect(tellCompanyVerdict(verdict)).toContain('1 document is as the events name them.')
  })

  it('is answered in parts', async () => {
    const { exportId, bytes } = await exported()
    const whole = await download(exportId)
    const range = await download(exportId, { range: `bytes=100-${bytes}` })
    expect(range.response.status).toBe(206)
    expect(range.bytes.equals(whole.bytes.subarray(100))).toBe(true)
  })

  it('is replaced by the next one, and asked for by an Admin alone', async () => {
    const first = await exported()
    const second = await exported()
    const gone = await download(first.exportId)
    expect([gone.response.status, JSON.parse(gone.bytes.toString()).code]).toEqual([404, 'export-not-found'])
    expect((await download(second.exportId)).response.status).toBe(200)
    const [before, newest] = (await send('viewer', 'GET', 'runs?kind=companyExport')).slice(-2)
    expect([before.result.exportId, before.availableUntil]).toEqual([first.exportId, null])
    expect(newest.result.exportId).toBe(second.exportId)
    expect(Date.parse(newest.availableUntil) - Date.parse(newest.updatedAt)).toBe(7 * 86_400_000)
    expect(await send('viewer', 'GET', 'runs?kind=orderPack')).toEqual([])
    for (const client of ['viewer', 'auditor', 'quality', 'planner'] as const) {
      expect((await service.send(client, 'POST', 'exports')).status).toBe(403)
      expect((await download(second.exportId, {}, client)).response.status).toBe(403)
    }
  })

  it('removes what an interrupted run has left, and nothing that is being written', async () => {
    const { exportId } = await exported()
    const objects = join(service.documentsFolder, 'exports', service.companyId)
    const [left, young] = [join(objects, randomUUID()), join(objects, randomUUID())]
    for (const path of [left, young]) writeFileSync(path, 'half')
    const anHourAgo = Date.now() / 1_000 - 3_600
    for (const path of [left, join(objects, exportId)]) utimesSync(path, anHourAgo, anHourAgo)
    const next = await exported()
    const kept = readdirSync(objects)
    expect(kept).toEqual(expect.arrayContaining([exportId, basename(young), next.exportId]))
    expect(kept).not.toContain(basename(left))
  })

  it('is one run under one Idempotency-Key', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const first = await service.send('admin', 'POST', 'exports', { headers })
    const again = await service.send('admin', 'POST', 'exports', { headers })
    expect([first.status, again.status, again.headers.get('idempotent-replayed')]).toEqual([202, 202, 'true'])
    expect(again.body.runId).toBe(first.body.runId)
    await ended(first.body.runId)
  })

  it('fails, and says why, when a document is lost', async () => {
    const documentId = await newDocument({ lost: randomUUID() }, 'lost.json')
    const { sha256: hash } = await send('viewer', 'GET', `documents/${documentId}`)
    rmSync(join(service.documentsFolder, service.companyId, hash), { recursive: true })
    const run = await ended((await send('admin', 'POST', 'exports')).runId)
    expect(run).toMatchObject({ status: 'failed', result: null, error: { code: 'documents-unavailable' } })
    await send('planner', 'DELETE', `documents/${documentId}`)
    await exported()
  })
})

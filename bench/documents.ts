import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { concurrently } from '../src/lib/concurrently.ts'
import { type MeasuredService, residentMiB, withService } from './processes.ts'
import type { Figure } from './report.ts'
import { type Order, send } from './request.ts'
import { registerCertificate } from './yard.ts'

/**
 * Measures what files cost the service: uploads, the pack of a large order, and an import. `BENCH_SCALE=0.02` takes
 * that part of the uploads, certificates and rows, to try the section.
 */

const section = 'documents'
const scale = Number(process.env.BENCH_SCALE ?? 1)
const scaled = (count: number) => Math.max(1, Math.round(count * scale))

const uploads = scaled(100)
const uploadBytes = 10 * 1_048_576
const uploadsAtOnce = 8
const certificates = scaled(500)
const originalBytes = 500 * 1_024
const rows = scaled(10_000)
const sampleMs = 50

export function documents(): Promise<Figure[]> {
  return withService(async (service) => {
    const company = `${service.url}/api/company/${service.dev.companyId}`
    const planner = await service.token('planner')
    const setting = { service, company, planner }
    await upload(setting, uploadBytes)
    return [...(await manyUploads(setting)), ...(await largePack(setting)), ...(await longImport(setting))]
  })
}

interface Setting {
  readonly service: MeasuredService
  readonly company: string
  readonly planner: string
}

/** Carry out work, and return its result with the seconds and the memory that it takes of the service at most. */
async function watched<Result>({ service }: Setting, work: () => Promise<Result>) {
  const before = residentMiB(service.pid)
  let most = before
  const sampling = setInterval(() => {
    most = Math.max(most, residentMiB(service.pid))
  }, sampleMs)
  const begun = performance.now()
  try {
    const result = await work()
    return { result, seconds: (performance.now() - begun) / 1_000, addedMiB: most - before }
  } finally {
    clearInterval(sampling)
  }
}

async function upload({ company, planner }: Setting, bytes: number): Promise<string> {
  const response = await fetch(`${company}/documents`, {
    method: 'POST',
    body: Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(bytes - 9)]),
    headers: { authorization: `Bearer ${planner}`, 'content-type': 'application/pdf' },
  })
  if (response.status !== 201) throw new Error(`an upload was answered ${response.status}`)
  return ((await response.json()) as { documentId: string }).documentId
}

async function manyUploads(setting: Setting): Promise<Figure[]> {
  const all = Array.from({ length: uploads })
  const { seconds, addedMiB } = await watched(setting, () =>
    concurrently(uploadsAtOnce, all, () => upload(setting, uploadBytes)),
  )
  const what = `${uploads} uploads of 10 MiB, ${uploadsAtOnce} at once`
  return [
    { section, what, value: seconds, unit: 's' },
    {
      section,
      what: `${what}: memory`,
      value: addedMiB,
      unit: 'MiB',
      ratio: most('100 MiB', addedMiB / 100),
    },
  ]
}

/** An order with a piece from each certificate, and an original for each. */
async function largePack(setting: Setting): Promise<Figure[]> {
  const { company, planner } = setting
  const all = Array.from({ length: certificates }, (_, n) => n)
  const ids = await concurrently(uploadsAtOnce, all, async (n) => {
    const numbers = { certificateNumber: `P-${n}`, heatNumber: `H ${n}` }
    const millCertificationId = await registerCertificate(company, planner, numbers)
    const documentId = await upload(setting, originalBytes)
    const path = `${company}/millcert/certificates/${millCertificationId}/documents/${documentId}`
    await send(path, planner, 'PUT', {})
    return millCertificationId
  })
  const order = await send<Order>(`${company}/orders`, planner, 'POST', {
    orderNumber: 'SO-PACK',
    requiredInspectionDocument: '3.1',
    executionClass: 'EXC2',
    lineItems: [{ lineNumber: 10, grade: 'S355J2', lengthMm: 1_000, quantity: certificates }],
  })
  const { orderId } = order
  const { lineItemId } = order.lineItems[0]!
  await send(`${company}/production-plans`, planner, 'POST', {
    name: 'Pack',
    bars: ids.map((millCertificationId) => ({
      stockLengthMm: 6_000,
      grade: 'S355J2',
      millCertificationId,
      cuts: [{ orderId, lineItemId, lengthMm: 1_000, status: 'Accepted' }],
    })),
  })
  const { result, seconds, addedMiB } = await watched(setting, () => pack(setting, orderId))
  const what = `pack of ${certificates} certificates with originals of 500 KiB`
  return [
    { section, what, value: seconds, unit: 's', ratio: most('60 s', seconds / 60) },
    {
      section,
      what: `${what}: memory`,
      value: addedMiB,
      unit: 'MiB',
      ratio: most('150 MiB', addedMiB / 150),
    },
    { section, what: `${what}: size`, value: result.bytes / 1_048_576, unit: 'MiB' },
  ]
}

async function pack({ company, planner }: Setting, orderId: string): Promise<{ readonly bytes: number }> {
  const { runId } = await send(`${company}/orders/${orderId}/packs`, planner, 'POST', {})
  for (;;) {
    const response = await fetch(`${company}/runs/${runId}`, {
      headers: { authorization: `Bearer ${planner}` },
    })
    const run = (await response.json()) as { status: string; result: { bytes: number }; error: unknown }
    if (run.status === 'succeeded') return run.result
    if (run.status === 'failed') throw new Error(`the run failed: ${JSON.stringify(run.error)}`)
    await pause(sampleMs)
  }
}

async function longImport(setting: Setting): Promise<Figure[]> {
  const { company, planner } = setting
  const elements = ['C', 'Si', 'Mn', 'P', 'S', 'N', 'Cu', 'Nb', 'V', 'Ti']
  const headings = [
    'certificateNumber',
    'heatNumber',
    'standard',
    'grade',
    'inspectionDocument',
    'manufacturer',
  ]
  const lines = Array.from({ length: rows }, (_, n) =>
    [`I-${n}`, `H ${n}`, 'EN 10025-2', 'S355J2+N', '3.1', 'Ostwerk', ...elements.map(() => '0,012')].join(
      ';',
    ),
  )
  const csv = [[...headings, ...elements].join(';'), ...lines].join('\r\n')
  const { result, seconds, addedMiB } = await watched(setting, async () => {
    const response = await fetch(`${company}/imports?kind=certificates`, {
      method: 'POST',
      body: csv,
      headers: { authorization: `Bearer ${planner}`, 'content-type': 'text/csv' },
    })
    return (await response.json()) as { readonly rows: readonly { readonly action: string }[] }
  })
  const created = result.rows.filter(({ action }) => action === 'create').length
  if (created !== rows) throw new Error(`${created} of ${rows} rows were proposed`)
  const what = `import of ${rows} rows of CSV to the proposal`
  return [
    { section, what, value: seconds, unit: 's', ratio: most('15 s', seconds / 15) },
    { section, what: `${what}: memory of the service`, value: addedMiB, unit: 'MiB' },
  ]
}

function most(bound: string, value: number): NonNullable<Figure['ratio']> {
  return { to: `the bound of ${bound}`, value, most: 1 }
}

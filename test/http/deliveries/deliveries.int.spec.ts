import { expect, it } from 'vitest'
import { own } from '../../support/own.ts'
import { startTestService } from '../../support/testService.ts'

const service = await own(startTestService())

const plan = (method: string, path: string, body?: object) =>
  service.send('planner', method as 'POST', path, body ? { body } : {})

const headings = 'Certificate;Heat;Grade;Document type;Manufacturer;Rev.'

async function upload(body: string) {
  const response = await fetch(`${service.url}/api/company/${service.companyId}/imports?kind=certificates`, {
    method: 'POST',
    body,
    headers: {
      authorization: `Bearer ${await service.identity.token({ oid: 'planner' })}`,
      'content-type': 'text/csv',
    },
  })
  // biome-ignore lint/suspicious/noExplicitAny: a spec knows the shape of its answer.
  return (await response.json()) as any
}

async function confirm(
  { importId, proposal }: { importId: string; proposal: string },
  decisions: object[] = [],
) {
  return (await plan('POST', `imports/${importId}/confirm`, { proposal, decisions })).body
}

async function newCertificate(certificateNumber: string, heatNumber = `H ${certificateNumber}`) {
  const certificate = { certificateNumber, heatNumber, grade: 'S355J2' }
  const body = { ...certificate, inspectionDocument: '3.1' }
  return (await plan('POST', 'millcert/certificates', body)).body.millCertificationId as string
}

async function newBars(millCertificationId: string, count: number) {
  const bar = { stockLengthMm: 12_000, grade: 'S355J2', millCertificationId, cuts: [] }
  const { body } = await plan('POST', 'production-plans', {
    name: 'Week 9',
    bars: Array.from({ length: count }, () => bar),
  })
  return body.bars as { barId: string }[]
}

const stockOf = async (id: string) => (await plan('GET', `millcert/certificates/${id}`)).body.stock
const codesOf = async (barId: string) =>
  (await plan('GET', `production-plan-bars/${barId}/verdict`)).body.findings
    .map(({ code, severity }: { code: string; severity: string }) => `${severity} ${code}`)
    .filter((one: string) => one.endsWith('stock-exceeded'))

it('says what is left of a certificate, and flags what is planned beyond it', async () => {
  const certificate = await newCertificate('D-1')
  const [bar] = await newBars(certificate, 3)
  expect(await stockOf(certificate)).toBeNull()
  expect(await codesOf(bar!.barId)).toEqual([])

  const steel = { millCertificationId: certificate, heatNumber: 'H D-1' }
  const note = {
    deliveryNote: 'LS 1',
    supplier: 'Nord',
    date: '2026-03-01',
    items: [{ ...steel, pieces: 2, lengthMm: 12_000, inspectionDocument: '2.2' }],
  }
  const first = await plan('POST', 'deliveries', note)
  expect(first).toMatchObject({ status: 201, body: { deliveryNote: 'LS 1', voided: false } })
  expect((await plan('POST', 'deliveries', note)).status).toBe(200)
  expect(await stockOf(certificate)).toEqual({
    delivered: { pieces: 2, metres: 24 },
    planned: { pieces: 3, metres: 36 },
    cut: { pieces: 0, metres: 0 },
    scrapped: { pieces: 0, metres: 0 },
    remaining: { pieces: -1, metres: -12 },
  })
  expect(await codesOf(bar!.barId)).toEqual(['Flag stock-exceeded'])

  // A partial delivery is one more delivery.
  const second = await plan('POST', 'deliveries', { ...note, deliveryNote: 'LS 2' })
  expect((await stockOf(certificate)).remaining).toEqual({ pieces: 1, metres: 12 })
  expect(await codesOf(bar!.barId)).toEqual([])

  const { deliveryId } = first.body
  const other = await newCertificate('D-2')
  const [bare] = await newBars(other, 1)
  expect(await stockOf(other)).toBeNull()
  expect(await codesOf(bare!.barId)).toEqual([])

  // Steel that came on one certificate is not that of another one of its heat.
  expect(await stockOf(await newCertificate('D-3', 'H D-1'))).toBeNull()

  const one = { ...note.items[0], pieces: 1 }
  for (const { items, remaining } of [
    { items: [one, one], remaining: { pieces: 1, metres: 12 } },
    { items: [one], remaining: { pieces: 0, metres: 0 } },
  ]) {
    const { body } = await plan('PUT', `deliveries/${deliveryId}`, { ...note, items })
    expect(body.items).toMatchObject(items)
    expect((await stockOf(certificate)).remaining).toEqual(remaining)
  }
  const voided = await plan('POST', `deliveries/${deliveryId}/void`, { reason: 'It went to site.' })
  expect(voided).toMatchObject({ status: 200, body: { voided: true } })
  expect((await stockOf(certificate)).delivered).toEqual({ pieces: 2, metres: 24 })
  // A voided delivery brought nothing.
  await plan('POST', `deliveries/${second.body.deliveryId}/void`, { reason: 'It went to site, too.' })
  expect(await codesOf(bar!.barId)).toEqual(['Flag stock-exceeded'])
  const listed = (await plan('GET', `deliveries?millCertificationId=${certificate}`)).body
  expect(listed).toMatchObject([
    { deliveryNote: 'LS 2', voided: true, items: [{ pieces: 2 }] },
    { deliveryNote: 'LS 1', voided: true, certificates: [{ certificateNumber: 'D-1', heatNumber: 'H D-1' }] },
  ])
})

it('finds the steel of a delivery note, also without a certificate', async () => {
  const item = { heatNumber: 'H 900', pieces: 4 }
  const sent = { deliveryNote: 'LS 9', date: '2026-03-01', items: [item] }
  const delivered = await plan('POST', 'deliveries', sent)
  expect(delivered.status).toBe(201)
  const { body } = await plan('POST', 'production-plans', {
    name: 'Week 10',
    bars: [{ stockLengthMm: 6_000, grade: 'S355J2', cuts: [] }],
  })
  const { barId } = body.bars[0]
  await service.send('cutter', 'PUT', `production-plan-bars/${barId}/certificate`, {
    body: { heatNumber: 'H 900' },
  })
  expect((await plan('GET', 'recalls?deliveryNote=ls%209')).body).toMatchObject({
    certificates: [],
    bars: [{ barId }],
    deliveries: [{ deliveryId: delivered.body.deliveryId, pieces: 4 }],
  })
  const wanting = async () =>
    (await plan('GET', 'deliveries?withoutCertificate=true')).body.map(
      (one: { deliveryNote: string }) => one.deliveryNote,
    )
  expect(await wanting()).toEqual(['LS 9'])
  const certificate = await newCertificate('D-9', 'h  900')
  expect(await wanting()).toEqual([])
  const { body: others } = await plan('GET', 'deliveries?withoutCertificate=false')
  expect(others).toContainEqual(expect.objectContaining({ deliveryNote: 'LS 9' }))
  await service.send('quality', 'POST', `millcert/certificates/${certificate}/void`, {
    body: { reason: 'Not for this steel.' },
  })
  expect(await wanting()).toEqual(['LS 9'])
  const whole = await plan('GET', 'deliveries')
  const page = await plan('GET', 'deliveries?limit=1&count=true')
  expect(page.body).toHaveLength(1)
  expect(page.headers.get('total-count')).toBe(String(whole.body.length))
})

it('brings a day at the goods-in desk from the table of the mill to the recall of its amended certificate', async () => {
  const first = await upload(`${headings}\nG-1;HG 1;;3.1;Ostwerk;`)
  expect(first.rows).toMatchObject([{ action: 'refused', undecided: [{ field: 'grade' }] }])
  const correction = [{ row: 1, field: 'grade', value: 'S355J2' }]
  const [{ id }] = (await confirm(first, correction)).rows
  await plan('POST', 'deliveries', {
    deliveryNote: 'LS 20',
    date: '2026-03-02',
    items: [{ millCertificationId: id, pieces: 1, lengthMm: 12_000 }],
  })
  const [bar] = await newBars(id, 2)
  expect(await codesOf(bar!.barId)).toEqual(['Flag stock-exceeded'])
  const released = await service.send('quality', 'POST', `millcert/certificates/${id}/release`, { body: {} })
  expect(released.body.status).toBe('Released')

  const amendment = await upload(`${headings}\nG-1;HG 1;S355JR;3.1;Ostwerk;1`)
  expect(amendment.rows).toMatchObject([
    {
      action: 'update',
      changes: [
        { field: 'documentRevision', from: null, to: 1 },
        { field: 'grade', from: 'S355J2', to: 'S355JR' },
      ],
    },
  ])
  expect((await confirm(amendment)).rows).toMatchObject([{ id, outcome: 'updated' }])
  const amended = (await plan('GET', `millcert/certificates/${id}`)).body
  expect(amended).toMatchObject({ status: 'Received', grade: 'S355JR', stock: { remaining: { pieces: -1 } } })
  const older = await upload(`${headings}\nG-1;HG 1;S355J2;3.1;Ostwerk;0`)
  expect(older.rows).toMatchObject([
    { action: 'refused', faults: [{ code: 'certificate-already-registered' }] },
  ])
  expect((await plan('GET', 'recalls?deliveryNote=LS%2020')).body).toMatchObject({
    certificates: [{ millCertificationId: id, manufacturer: 'Ostwerk' }],
    bars: [{}, {}],
    deliveries: [{ deliveryNote: 'LS 20', pieces: 1 }],
  })
})

it('names a certificate or a heat in each item', async () => {
  const sent = { deliveryNote: 'LS 8', date: '2026-03-01', items: [{ pieces: 1 }] }
  expect((await plan('POST', 'deliveries', sent)).body.errors).toMatchObject([
    { path: '/items/0/millCertificationId', code: 'required' },
  ])
})

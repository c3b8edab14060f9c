import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { loadReader, readFile, readPages } from '../../../src/imports/read.ts'
import { createImportReader, type ImportReader } from '../../../src/imports/reader.ts'
import { drawPages } from '../../../src/imports/scans/drawPages.ts'
import { xlsxOf, xlsxType } from '../../../src/lib/sheets/xlsx.ts'
import { pdfOf } from '../../imports/pdfFile.ts'
import { tiffOf } from '../../imports/scans/tiffFile.ts'
import { own } from '../../support/own.ts'
import { type ClientName, startTestService } from '../../support/testService.ts'

/** Called before pages are taken out of a PDF. */
let beforePages = async (): Promise<unknown> => undefined
let extracts = 0

/** Only a TIFF is read in a process of its own here, because each of them takes a while to start. */
const inProcess = createImportReader(() => performance.now())
const readHere: ImportReader = {
  async *read(companyId, file, open) {
    if (file.format === 'tiff') {
      yield* inProcess.read(companyId, file, open)
      return
    }
    await loadReader(file)
    yield* readFile({ ...file, bytes: await buffer(await open()) })
  },
  async pages(companyId, some, open) {
    if (some.format === 'tiff') return inProcess.pages(companyId, some, open)
    await beforePages()
    const pdf = await readPages(some, await buffer(await open()))
    // Two extracts of one second have the same bytes, and later ones have not.
    extracts += 1
    return Buffer.concat([pdf, Buffer.from(`%${extracts}`)])
  },
}

const service = await own(startTestService({}, { importReader: readHere }))

async function upload(
  kind: string,
  body: string | Uint8Array,
  type = 'text/csv',
  client: ClientName = 'planner',
) {
  const response = await fetch(`${service.url}/api/company/${service.companyId}/imports?kind=${kind}`, {
    method: 'POST',
    body: Buffer.from(body),
    headers: {
      authorization: `Bearer ${await service.identity.token({ oid: client })}`,
      'content-type': type,
    },
  })
  // biome-ignore lint/suspicious/noExplicitAny: a spec knows the shape of its answer.
  return { status: response.status, body: (await response.json()) as any }
}

function confirm({ importId, proposal }: { importId: string; proposal: string }, decisions: object[] = []) {
  const body = { proposal, decisions }
  return service.send('planner', 'POST', `imports/${importId}/confirm`, { body })
}

const headings = 'certificateNumber,heatNumber,grade,inspectionDocument,C'
const csv = (...rows: string[]) => [headings, ...rows].join('\n')

async function certificates(number: string) {
  return (await service.send('viewer', 'GET', `millcert/certificates?certificateNumber=${number}`)).body
}

function kept(): string[] {
  try {
    return readdirSync(`${service.documentsFolder}/imports`)
  } catch {
    return []
  }
}

async function growOld(importId: string): Promise<void> {
  const postgres = new pg.Client(service.settings.DATABASE_URL!)
  await postgres.connect()
  await postgres.query(
    `UPDATE heatmark_local.import SET created_at = now() - interval '8 days' WHERE import_id = $1`,
    [importId],
  )
  await postgres.end()
}

describe('an import of certificates', () => {
  it('records nothing before it is confirmed, and the same confirmation may be repeated', async () => {
    const { status, body } = await upload(
      'certificates',
      csv('A-1,H1,S235JR,3.1,0.15', 'A-2,H2,S355J2,2.2,0.18'),
    )
    expect(status).toBe(200)
    expect(body.rows.map(({ row, action }: { row: number; action: string }) => [row, action])).toEqual([
      [1, 'create'],
      [2, 'create'],
    ])
    expect(body.rows[0].values).toContainEqual({
      field: 'chemistry.C',
      value: 0.15,
      at: { line: 2, column: 5 },
    })
    expect(await certificates('A-1')).toEqual([])

    const first = await confirm(body)
    expect(first.status).toBe(200)
    expect(first.body.rows).toMatchObject([
      { row: 1, status: 201, outcome: 'created', id: body.rows[0].id },
      { row: 2, status: 201, outcome: 'created' },
    ])
    expect(Number(first.headers.get('commit-position'))).toBeGreaterThan(0)
    expect(await certificates('A-1')).toMatchObject([{ heatNumber: 'H1', chemistry: { C: 0.15 } }])

    const again = await confirm(body)
    expect(again.status).toBe(200)
    expect(again.body.rows).toMatchObject([{ outcome: 'unchanged' }, { outcome: 'unchanged' }])
  })

  it('says what would be updated, and leaves alone what an empty cell says nothing about', async () => {
    await confirm((await upload('certificates', csv('B-1,H1,S235JR,3.1,0.15'))).body)
    const same = (await upload('certificates', csv('B-1,H1,S235JR,3.1,'))).body
    expect(same.rows).toMatchObject([{ action: 'unchanged' }])
    const { body } = await upload('certificates', csv('B-1,H1,S275JR,,'))
    expect(body.rows).toMatchObject([{ action: 'update' }])
    await confirm(body)
    expect(await certificates('B-1')).toMatchObject([{ grade: 'S275JR', chemistry: { C: 0.15 } }])
  })

  it('is recorded once when two people confirm it at the same time with other decisions', async () => {
    const { body } = await upload('certificates', csv('R-1,H1,S235JR,3.1,0.15'))
    const decide = (value: string) => confirm(body, [{ row: 1, field: 'grade', value }])
    const statuses = (await Promise.all([decide('S275JR'), decide('S355J2')])).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, 409])
  })

  it('is refused when a record has changed since the upload', async () => {
    const create = (await upload('certificates', csv('C-1,H1,S235JR,3.1,0.15'))).body
    const content = { certificateNumber: 'C-1', heatNumber: 'H1', grade: 'S355JR', inspectionDocument: '3.1' }
    expect((await service.send('quality', 'POST', 'millcert/certificates', { body: content })).status).toBe(
      201,
    )
    expect(await confirm(create)).toMatchObject({ status: 409, body: { code: 'import-changed' } })

    const update = (await upload('certificates', csv('C-1,H1,S235JR,3.1,0.15'))).body
    const [{ millCertificationId }] = await certificates('C-1')
    const path = `millcert/certificates/${millCertificationId}`
    await service.send('quality', 'PATCH', path, { body: { manufacturer: 'Another' } })
    expect(await confirm(update)).toMatchObject({ status: 409, body: { code: 'import-changed' } })
    expect(await certificates('C-1')).toMatchObject([{ grade: 'S355JR', manufacturer: 'Another' }])
    expect(await confirm({ ...update, proposal: 'x' })).toMatchObject({ status: 409 })
  })

  it('does not undo a correction when another person repeats the confirmation', async () => {
    const { body } = await upload('certificates', csv('K-1,H1,S235JR,3.1,'))
    await confirm(body)
    const [{ millCertificationId }] = await certificates('K-1')
    const path = `millcert/certificates/${millCertificationId}`
    expect((await service.send('quality', 'PATCH', path, { body: { grade: 'S275JR' } })).status).toBe(200)
    expect(await confirm(body)).toMatchObject({ status: 200, body: { rows: [{ outcome: 'unchanged' }] } })
    const again = { proposal: body.proposal, decisions: [] }
    const repeated = await service.send('admin', 'POST', `imports/${body.importId}/confirm`, { body: again })
    expect(repeated).toMatchObject({ status: 409, body: { code: 'import-changed' } })
    expect(await certificates('K-1')).toMatchObject([{ grade: 'S275JR' }])
  })

  it('refuses 150.5 % carbon at its pointer, until a person decides', async () => {
    const certificate = {
      RefSchemaUrl: 'https://example.test/en10168-schemas/v0.5.0/schema.json',
      Certificate: {
        CommercialTransaction: { A02: 'Mill Certificate EN 10204 3.1', A03: 'D-1' },
        ProductDescription: { B02: { SteelDesignation: ['S355J2H', 'P355NH/TC1', 'E355+N'] } },
        Inspection: {
          C00: 'H1',
          ChemicalComposition: { C71: { Symbol: 'C', Actual: { Value: '150.5' }, Unit: '%' } },
        },
      },
    }
    const { body } = await upload('certificates', JSON.stringify(certificate), 'application/json')
    expect(body.rows).toHaveLength(1)
    expect(body.rows[0]).toMatchObject({
      action: 'refused',
      faults: [
        {
          at: { pointer: '/Certificate/Inspection/ChemicalComposition/C71/Actual/Value' },
          code: 'out-of-bounds',
        },
      ],
    })
    expect(
      body.rows[0].undecided.map(({ field, candidates }: { field: string; candidates: unknown[] }) => [
        field,
        candidates,
      ]),
    ).toEqual(
      expect.arrayContaining([
        ['inspectionDocument', ['3.1']],
        ['grade', ['S355J2H', 'P355NH/TC1', 'E355+N']],
      ]),
    )
    const refused = await confirm(body)
    expect(refused.body.rows).toMatchObject([{ row: 1, status: 400, code: 'validation-failed' }])
    expect(await certificates('D-1')).toEqual([])
    const decided = await confirm(body, [
      { row: 1, field: 'grade', value: 'S355J2H' },
      { row: 1, field: 'inspectionDocument', value: '3.1' },
      { row: 1, field: 'chemistry.C', value: 0.1505 },
    ])
    expect(decided.body.rows).toMatchObject([{ status: 201 }])
    expect(await certificates('D-1')).toMatchObject([{ grade: 'S355J2H', chemistry: { C: 0.1505 } }])
  })

  it('lets no faulty row spoil the others, and records nothing of it', async () => {
    const table = [
      `${headings},thicknessMm`,
      'E-1,H1,S235JR,3.1,0.1,thick',
      'E-2,H2,S235JR,3.1,0.1,10',
      ',H3,S235JR,3.1,,',
    ].join('\n')
    const { body } = await upload('certificates', table)
    expect(body.rows.map(({ action }: { action: string }) => action)).toEqual([
      'refused',
      'create',
      'refused',
    ])
    expect(body.rows[0].faults).toMatchObject([{ code: 'wrong-type', at: { line: 2, column: 6 } }])
    expect(body.rows[2].faults).toMatchObject([{ code: 'required', at: { line: 4, column: 1 } }])
    const { rows } = (await confirm(body)).body
    expect(rows.map(({ status }: { status: number }) => status)).toEqual([400, 201, 400])
    expect(await certificates('E-1')).toEqual([])
    const decided = await confirm(body, [{ row: 1, field: 'thicknessMm', value: 12 }])
    expect(decided).toMatchObject({ status: 409, body: { code: 'import-changed' } })
  })

  it('offers rows that failed again, and asks for a field that a row lacks', async () => {
    const { body } = await upload('certificates', csv('AG-1,H1,,3.1,0.1', 'AG-2,H1,S235JR,3.1,0.1'))
    expect(body.rows[0]).toMatchObject({
      action: 'refused',
      undecided: [{ field: 'grade', candidates: [], at: { line: 2, column: 1 } }],
      faults: [{ field: 'grade', code: 'required' }],
    })
    const first = await confirm(body)
    expect(first.body.rows).toMatchObject([{ status: 400 }, { status: 201 }])

    const again = await service.send('planner', 'GET', `imports/${body.importId}`)
    expect(again.body.rows).toMatchObject([{ action: 'refused' }, { action: 'unchanged' }])
    const second = await confirm(again.body, [{ row: 1, field: 'grade', value: 'S275JR' }])
    expect(second.body.rows).toMatchObject([{ status: 201 }, { outcome: 'unchanged' }])
    expect(await certificates('AG-1')).toMatchObject([{ grade: 'S275JR' }])
  })

  it('asks about a row of another mill, and updates nothing', async () => {
    const of = (mill: string) => `${headings},manufacturer\nAM-1,H1,S235JR,3.1,0.1,${mill}`
    await confirm((await upload('certificates', of('Ostwerk'))).body)
    const { body } = await upload('certificates', of('Westwerk'))
    expect(body.rows).toMatchObject([
      {
        action: 'refused',
        faults: [
          {
            field: 'manufacturer',
            at: { line: 2, column: 6 },
            code: 'unconfirmed',
            message: 'manufacturer: is recorded from Ostwerk; this row says Westwerk',
          },
        ],
      },
    ])
    const decided = await confirm(body, [{ row: 1, field: 'manufacturer', value: null }])
    expect(decided.body.rows).toMatchObject([{ outcome: 'unchanged' }])
    expect(await certificates('AM-1')).toMatchObject([{ manufacturer: 'Ostwerk' }])
  })

  it('reads a spreadsheet', async () => {
    const rows = async function* () {
      yield [headings.split(','), ['F-1', 4711, 'S235JR', '3.1', 0.17]]
    }
    const { status, body } = await upload('certificates', await buffer(xlsxOf(rows())), xlsxType)
    expect(status).toBe(200)
    expect(body.rows[0].values).toContainEqual({
      field: 'heatNumber',
      value: '4711',
      at: { line: 2, column: 2, cell: 'B2' },
    })
    expect((await confirm(body)).body.rows).toMatchObject([{ status: 201 }])
  })
})

describe('an import of a PDF', () => {
  const labelled = [
    ...['Zeugnis-Nr.', 'Schmelze', 'Werkstoff'].map((text, line) => ({ text, x: 40, y: 800 - 16 * line })),
    ...['P-1', 'H 175508', 'S355J2, S355J2H'].map((text, line) => ({ text, x: 200, y: 800 - 16 * line })),
  ]

  it('shows its text and proposes values with page and box, and is confirmed with decisions', async () => {
    const { status, body } = await upload('certificates', pdfOf([labelled]), 'application/pdf')
    expect(status).toBe(200)
    expect(body.rows[0]).toMatchObject({ action: 'create', pages: [{ page: 1 }] })
    expect(body.rows[0].pages[0].text).toContain('S355J2H')
    expect(body.rows[0].values[1]).toMatchObject({
      field: 'heatNumber',
      value: 'H 175508',
      at: { page: 1, box: [200, 784, expect.any(Number), 792] },
    })
    expect(body.rows[0].undecided).toMatchObject([
      { field: 'grade', candidates: ['S355J2', 'S355J2H'] },
      { field: 'inspectionDocument', candidates: [] },
    ])
    const decided = await confirm(body, [
      { row: 1, field: 'grade', value: 'S355J2H' },
      { row: 1, field: 'inspectionDocument', value: '3.1' },
    ])
    expect(decided.body.rows).toMatchObject([{ row: 1, status: 201, original: { status: 201 } }])
    expect(await certificates('P-1')).toMatchObject([{ heatNumber: 'H 175508', grade: 'S355J2H' }])
  })

  const decisions = [
    { row: 1, field: 'grade', value: 'S355J2H' },
    { row: 1, field: 'inspectionDocument', value: '3.1' },
  ]
  const objects = () =>
    readdirSync(service.documentsFolder, { recursive: true, withFileTypes: true }).filter(
      // What an answered upload leaves in `incoming` is removed a moment later.
      (one) => one.isFile() && !one.name.endsWith('-rows') && !one.parentPath.endsWith('incoming'),
    ).length
  const another = (number: string) => pdfOf([[...labelled, { text: `Remark ${number}`, x: 40, y: 40 }]])

  it('of several certificates gives each its own pages, once, and stays whole as a document', async () => {
    const page = (number: string) =>
      [`Zeugnis-Nr.: ${number}`, 'Schmelze: H 1', 'Werkstoff: S355J2', 'EN 10204: 3.1'].map((text, line) => ({
        text,
        x: 40,
        y: 800 - 16 * line,
      }))
    const file = pdfOf([page('P-81'), page('P-82')])
    const { body } = await upload('certificates', file, 'application/pdf')
    expect(body.rows).toMatchObject([{ onPages: [1] }, { onPages: [2] }])
    // Another confirmation begins while the first one takes the pages out, and both take them out at once.
    let another: ReturnType<typeof confirm> | undefined
    const { promise: bothBegan, resolve: bothBegin } = Promise.withResolvers<void>()
    beforePages = async () => {
      if (another) return bothBegin()
      another = confirm(body)
      await bothBegan
    }
    const first = (await confirm(body)).body.rows
    const originals = (rows: { original: { documentId: string } }[]) =>
      rows.map(({ original }) => original.documentId)
    const [one, other] = originals(first)
    expect(one).not.toBe(other)
    expect(originals((await another!).body.rows)).toEqual([one, other])
    const again = (await confirm(body)).body.rows
    expect(again).toMatchObject([
      { original: { documentId: one, status: 200 } },
      { original: { documentId: other, status: 200 } },
    ])
    const path = `${service.url}/api/company/${service.companyId}/documents/${other}/content`
    const token = await service.identity.token({ oid: 'viewer' })
    const content = await fetch(path, { headers: { authorization: `Bearer ${token}` } })
    const bytes = Buffer.from(await content.arrayBuffer())
    const rows = await Array.fromAsync(readFile({ kind: 'certificates', format: 'pdf', bytes }))
    expect(rows[0]!.pages).toEqual([{ page: 1, text: expect.stringContaining('P-82') }])
    const sha256 = (file: Uint8Array) => createHash('sha256').update(file).digest('hex')
    const { body: documents } = await service.send('viewer', 'GET', 'documents')
    expect(documents).toContainEqual(
      expect.objectContaining({ sha256: sha256(file), fileName: expect.stringMatching(/^P-81/) }),
    )
    expect(documents).toContainEqual(expect.objectContaining({ documentId: other, sha256: sha256(bytes) }))
    const ofImport = () => kept().filter((name) => name.startsWith(body.importId))
    expect(ofImport()).toHaveLength(4)
    await growOld(body.importId)
    await upload('certificates', csv('G-6,H1,S235JR,3.1,'))
    expect(ofImport()).toEqual([])
  })

  it('or a TIFF of several scanned certificates gives each its own pages', async () => {
    const texts = (number: string) => [
      'EN 10204 3.1',
      `Certificate No: ${number}`,
      'Heat No: 48151',
      'Grade: S355',
    ]
    const page = (number: string) =>
      texts(number).map((text, line) => ({ text, x: 40, y: 780 - 40 * line, size: 24 }))
    const pages = await Array.fromAsync(drawPages('pdf', pdfOf([page('T-8281'), page('T-8293')])))
    const { body } = await upload('certificates', tiffOf(pages, true), 'image/tiff')
    expect(body.rows).toMatchObject([{ onPages: [1] }, { onPages: [2] }])
    const sure = (row: number) =>
      Object.entries({
        certificateNumber: `T-${row}`,
        heatNumber: '48151',
        grade: 'S355',
        inspectionDocument: '3.1',
      }).map(([field, value]) => ({ row, field, value }))
    const { rows } = (await confirm(body, [...sure(1), ...sure(2)])).body
    expect(rows).toMatchObject([{ original: { status: 201 } }, { original: { status: 201 } }])
    const path = `documents/${rows[1].original.documentId}/content`
    const token = await service.identity.token({ oid: 'viewer' })
    const content = await fetch(`${service.url}/api/company/${service.companyId}/${path}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(content.headers.get('content-type')).toBe('image/tiff')
    const own = await Array.fromAsync(drawPages('tiff', new Uint8Array(await content.arrayBuffer())))
    expect(own.map(({ grey }) => Buffer.from(grey).equals(Buffer.from(pages[1]!.grey)))).toEqual([true])
  })

  it('becomes the original of the certificate, once', async () => {
    const file = another('original')
    const before = objects()
    const { body } = await upload('certificates', file, 'application/pdf')
    const first = await confirm(body, [...decisions, { row: 1, field: 'certificateNumber', value: 'P/2 Ł' }])
    const { id, original } = first.body.rows[0]
    expect(original).toEqual({ documentId: expect.any(String), status: 201 })
    const [shown] = await certificates(encodeURIComponent('P/2 Ł'))
    expect([shown.millCertificationId, first.headers.get('projection-status')]).toEqual([id, null])
    const { documents } = (await service.send('viewer', 'GET', `millcert/certificates/${id}`)).body
    expect(documents).toMatchObject([
      { documentId: original.documentId, fileName: 'P-2-.pdf', bytes: file.length, attachedBy: 'planner' },
    ])
    expect(objects()).toBe(before + 1)

    const again = await confirm(body, [...decisions, { row: 1, field: 'certificateNumber', value: 'P/2 Ł' }])
    expect(again.body.rows).toMatchObject([{ outcome: 'unchanged', original: { ...original, status: 200 } }])
    const authorization = `Bearer ${await service.identity.token({ oid: 'viewer' })}`
    const path = `${service.url}/api/company/${service.companyId}/documents/${original.documentId}/content`
    const content = await fetch(path, { headers: { authorization } })
    expect(Buffer.from(await content.arrayBuffer()).equals(file)).toBe(true)
    expect(objects()).toBe(before + 1)
  })

  it('is not stored again when its document was deleted, and the certificate stays', async () => {
    const { body } = await upload('certificates', another('deleted'), 'application/pdf')
    const decided = [...decisions, { row: 1, field: 'certificateNumber', value: 'P-6' }]
    const { id, original } = (await confirm(body, decided)).body.rows[0]
    await service.send('planner', 'DELETE', `millcert/certificates/${id}/documents/${original.documentId}`)
    await service.send('planner', 'DELETE', `documents/${original.documentId}`)
    expect((await confirm(body, decided)).body.rows[0]).toMatchObject({
      status: 200,
      outcome: 'unchanged',
      original: { documentId: original.documentId, status: 404, code: 'document-not-found' },
    })
  })

  it('is the document that the company has already, and one file for two imports', async () => {
    const file = another('twice')
    const authorization = `Bearer ${await service.identity.token({ oid: 'planner' })}`
    const stored = await fetch(`${service.url}/api/company/${service.companyId}/documents`, {
      method: 'POST',
      body: new Uint8Array(file),
      headers: { authorization, 'content-type': 'application/pdf' },
    })
    const { documentId } = (await stored.json()) as { documentId: string }
    for (const certificateNumber of ['P-3', 'P-4']) {
      const { body } = await upload('certificates', file, 'application/pdf')
      const number = { row: 1, field: 'certificateNumber', value: certificateNumber }
      const answers = [
        await confirm(body, [...decisions, number]),
        await confirm(body, [...decisions, number]),
      ]
      expect(answers.map((one) => one.body.rows[0].original)).toEqual([
        { documentId, status: 201 },
        { documentId, status: 200 },
      ])
    }
  })

  it('is not attached when the row is refused, and says so when the certificate has too many documents', async () => {
    const file = another('full')
    const { body } = await upload('certificates', file, 'application/pdf')
    const unknown = { row: 1, field: 'certificateNumber', value: 'P-without-grade' }
    const refused = (await confirm(body, [unknown])).body.rows
    expect(refused).toEqual([expect.objectContaining({ status: 400 })])
    expect(refused[0]).not.toHaveProperty('original')
    const content = { certificateNumber: 'P-5', heatNumber: 'H 175508', grade: 'S355J2H' }
    const registered = await service.send('planner', 'POST', 'millcert/certificates', {
      body: { ...content, inspectionDocument: '3.1' },
    })
    const path = `millcert/certificates/${registered.body.millCertificationId}/documents`
    for (let n = 0; n < 20; n += 1) {
      const { documentId } = (await service.send('planner', 'POST', 'documents', { body: `{"n":${n}}` })).body
      await service.send('planner', 'PUT', `${path}/${documentId}`)
    }
    const next = (await upload('certificates', file, 'application/pdf')).body
    const number = { row: 1, field: 'certificateNumber', value: 'P-5' }
    expect((await confirm(next, [...decisions, number])).body.rows[0]).toMatchObject({
      status: 200,
      original: { status: 409, code: 'too-many-documents' },
    })
  })

  it.each([
    ['an empty scan', 'certificates', pdfOf([[]]), 422, /^There is no text on the pages/],
    ['orders', 'orders', pdfOf([labelled]), 422, /Only certificates are imported/],
    ['a program named PDF', 'certificates', Buffer.from('MZ\x90\0'), 415, /nothing was stored/],
  ])('refuses %s', async (_, kind, content, status, detail) => {
    const refused = await upload(kind, content, 'application/pdf')
    expect(refused.status).toBe(status)
    expect(refused.body.detail).toMatch(detail)
  })
})

describe('an import of orders and plans', () => {
  it('makes orders, and plans that name them by their numbers, once for each file', async () => {
    const orders = 'orderNumber,customer,lineNumber,lengthMm,quantity\nSO-1,Bau AG,10,4000,2\nSO-1,,20,3000,1'
    expect((await confirm((await upload('orders', orders)).body)).body.rows).toMatchObject([{ status: 201 }])

    const plan =
      'name,bar,stockLengthMm,grade,orderNumber,lineNumber,lengthMm,quantity\nWeek 47,1,12000,S235JR,SO-1,10,4000,2'
    const first = (await upload('plans', plan)).body
    expect(first.rows).toMatchObject([{ action: 'create' }])
    expect((await confirm(first)).body.rows).toMatchObject([{ status: 201, outcome: 'created' }])
    expect((await confirm(first)).body.rows).toMatchObject([{ status: 200, outcome: 'unchanged' }])
    expect((await upload('plans', plan)).body.rows).toMatchObject([{ action: 'unchanged' }])
    const bars = (await service.send('viewer', 'GET', 'production-plan-bars')).body
    expect(bars).toMatchObject([
      { grade: 'S235JR', cuts: [{ lengthMm: 4000, status: 'Proposed' }, { lengthMm: 4000 }] },
    ])
  })

  it('says at its place that a plan names an order which does not exist', async () => {
    const plan =
      'name,bar,stockLengthMm,grade,orderNumber,lineNumber,lengthMm\nWeek 48,1,12000,S235JR,SO-9,10,4000'
    const { body } = await upload('plans', plan)
    expect(body.rows[0]).toMatchObject({ action: 'refused' })
    expect(body.rows[0].faults[0]).toMatchObject({ code: 'unknown-record' })
  })

  it('names the number that is missing beside another, so that no bar loses its certificate', async () => {
    const plan = 'name,bar,stockLengthMm,grade,certificateNumber,heatNumber\nWeek 50,1,6000,S235JR,A-1,'
    const { body } = await upload('plans', plan)
    expect(body.rows).toMatchObject([{ action: 'refused', faults: [{ code: 'required' }] }])
    expect(body.rows[0].faults[0].message).toMatch(/^bars.0.heatNumber: is required/)
  })

  it('refuses a decision of the wrong type', async () => {
    const { body } = await upload('plans', `name,bar,stockLengthMm,grade\nWeek 51,1,6000,S235JR`)
    for (const [field, value] of [
      ['bars', 5],
      ['bars.0', 'S235JR'],
      ['bars.0.cuts', true],
      ['bars.0.certificateNumber', 5],
      ['bars.0.item', 5],
      ['bars.0.cuts.0.lineNumber', '10'],
    ]) {
      const { rows } = (await confirm(body, [{ row: 1, field, value }])).body
      const refused = { status: 400, code: 'validation-failed', errors: [{ code: 'wrong-type' }] }
      expect(rows, `${field}`).toMatchObject([refused])
    }
  })

  it('refuses a plan with NUL in a text, which no read model can hold', async () => {
    // NUL among the first characters would be no CSV at all.
    const bars = Array.from(
      { length: 400 },
      (_, bar) => `Week 49,${bar},6000,${'S355J2+N'.padStart(50, '_')}`,
    )
    const plan = ['name,bar,stockLengthMm,grade', ...bars, 'Week 49,last,6000,S3\0'].join('\n')
    const { body } = await upload('plans', plan)
    const fault = { code: 'not-storable', at: { line: 402, column: 4 } }
    expect(body.rows).toMatchObject([{ action: 'refused', faults: [fault] }])
    expect((await confirm(body)).body.rows).toMatchObject([{ status: 400, code: 'validation-failed' }])
  })
})

describe('a file', () => {
  it.each([
    ['no known headings', 'a,b\n1,2', 'text/csv', 422, 'import-unreadable'],
    ['headings alone', headings, 'text/csv', 422, 'import-unreadable'],
    ['another JSON', '{"a":1}', 'application/json', 422, 'import-unreadable'],
    ['a program named CSV', 'MZ\0\0', 'text/csv', 415, 'unsupported-media-type'],
    ['CSV sent as a spreadsheet', csv('A,B,C,3.1,'), xlsxType, 415, 'unsupported-media-type'],
    ['an archive named XLSX', 'PK\x03\x04 no more', xlsxType, 422, 'import-unreadable'],
    ['a picture', '\x89PNG', 'image/png', 415, 'unsupported-media-type'],
  ])('with %s is refused, and nothing is kept of it', async (_, content, type, status, code) => {
    const before = kept()
    expect(await upload('certificates', Buffer.from(content, 'latin1'), type)).toMatchObject({
      status,
      body: { code },
    })
    expect(kept()).toEqual(before)
  })

  it('may be larger than what one caller may hold in memory, and leaves nothing but itself', async () => {
    const unknown = 'x'.repeat(900_000)
    const rows = Array.from({ length: 25 }, (_, row) => `L-${row},H1,S235JR,3.1,,${unknown}`)
    const { status, body } = await upload('certificates', [`${headings},remark`, ...rows].join('\n'))
    expect(status).toBe(200)
    expect(body.rows).toHaveLength(25)
    expect(kept()).toContain(`${body.importId}-rows`)
    // The answer has been sent when the temporary objects are deleted.
    await expect.poll(() => readdirSync(`${service.documentsFolder}/incoming`)).toEqual([])
  })

  it('is confirmed by nobody else, and for 7 days', async () => {
    const { body } = await upload('certificates', csv('G-1,H1,S235JR,3.1,'))
    const path = `/api/company/${service.otherCompanyId}/imports/${body.importId}/confirm`
    const other = await service.send('outsider', 'POST', path, { body: { proposal: body.proposal } })
    expect(other).toMatchObject({ status: 404, body: { code: 'import-not-found' } })
    expect(kept()).toContain(`${body.importId}-rows`)

    await growOld(body.importId)
    expect(await confirm(body)).toMatchObject({ status: 404, body: { code: 'import-not-found' } })
    await upload('certificates', csv('G-2,H1,S235JR,3.1,'))
    expect(kept()).not.toContain(`${body.importId}-rows`)
  })

  it('is not confirmed with decisions that name more items of lists than any record has', async () => {
    const { body } = await upload('certificates', csv('G-4,H1,S235JR,3.1,'))
    const lists = (count: number) =>
      Array.from({ length: count }, (_, list) => ({ row: 1, field: `x${list}.999.999`, value: 1 }))
    expect(await confirm(body, lists(101))).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '#/decisions', code: 'out-of-bounds' }] },
    })
    expect(await confirm(body, lists(100))).toMatchObject({
      status: 400,
      body: {
        errors: expect.arrayContaining([expect.objectContaining({ pointer: '#/decisions/99/field' })]),
      },
    })
  })

  it('keeps separators of lines and paragraphs within a value', async () => {
    const { status, body } = await upload('certificates', csv('G-6\u2028x\u2029y,H1,S235JR,3.1,'))
    expect([status, body.rows.length]).toEqual([200, 1])
  })

  it('is not confirmed with decisions about a row or a field that is not there, or twice about a field', async () => {
    const { body } = await upload('certificates', csv('G-5,H1,S235JR,3.1,'))
    const grade = (row: number) => ({ row, field: 'grade', value: 'S355J2' })
    for (const [decisions, pointer, code] of [
      [[grade(1), grade(2)], '#/decisions/1/row', 'out-of-bounds'],
      [[grade(1), grade(1)], '#/decisions/1/field', 'not-unique'],
      [[grade(1), { row: 1, field: 'nothing', value: null }], '#/decisions/1/field', 'unknown-member'],
      [[{ row: 1, field: 'nothing.3.rmMpa', value: 1 }], '#/decisions/0/field', 'unknown-member'],
      [[{ row: 1, field: 'chemistry.Xy.z', value: 1 }], '#/decisions/0/field', 'unknown-member'],
    ] as const)
      expect(await confirm(body, [...decisions])).toMatchObject({
        status: 400,
        body: { errors: [{ pointer, code }] },
      })
    expect(await confirm(body, [grade(1)])).toMatchObject({ status: 200, body: { rows: [{ status: 201 }] } })
  })

  it('of orders and plans is imported by those who plan alone', async () => {
    const orders = 'orderNumber,lineNumber,lengthMm,quantity\nSO-5,10,4000,2'
    expect(await upload('orders', orders, 'text/csv', 'quality')).toMatchObject({ status: 403 })
    expect(await upload('certificates', csv('G-3,H1,S235JR,3.1,'), 'text/csv', 'quality')).toMatchObject({
      status: 200,
    })
    expect(await upload('certificates', csv('G-3,H1,S235JR,3.1,'), 'text/csv', 'viewer')).toMatchObject({
      status: 403,
    })
  })
})

it('gives a template, which an import understands', async () => {
  for (const kind of ['certificates', 'orders', 'plans']) {
    const authorization = `Bearer ${await service.identity.token({ oid: 'viewer' })}`
    const path = `${service.url}/api/company/${service.companyId}/imports/template?kind=${kind}`
    const answer = await fetch(path, { headers: { authorization } })
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${kind}.csv"`)
    expect(await upload(kind, await answer.text())).toMatchObject({
      status: 422,
      body: { detail: 'The file has headings and no rows. Send a file with rows.' },
    })
    const sheet = await fetch(path, { headers: { authorization, accept: xlsxType } })
    expect(sheet.headers.get('content-type')).toBe(xlsxType)
  }
})

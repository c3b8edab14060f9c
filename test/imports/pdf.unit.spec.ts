import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readExamples } from '../../src/cli/demo/examples.ts'
import { originalPdf } from '../../src/cli/demo/originalPdf.ts'
import { contentOf } from '../../src/imports/content.ts'
import { readPdf } from '../../src/imports/pdf/certificates.ts'
import { mostCharacters, mostPages } from '../../src/imports/pdf/textLayer.ts'
import type { ReadRow } from '../../src/imports/readRow.ts'
import { sized } from '../support/size.ts'
import { type Drawn, pdfOf } from './pdfFile.ts'

/** A certificate of a mill, as software prints it: labels and their values beside each other. */
const labelled: readonly Drawn[] = table([
  ['Zeugnis-Nr.', 'Z-4711'],
  ['Schmelze', 'H 175508'],
  ['Werkstoff', 'S355J2+N'],
  ['EN 10204', '3.1'],
  ['Blechdicke', '12,5 mm'],
])

function table(rows: readonly (readonly string[])[], top = 800, columns = [40, 200, 300, 400, 500]): Drawn[] {
  return rows.flatMap((row, line) =>
    row.map((text, column) => ({ text, x: columns[column]!, y: top - 16 * line })),
  )
}

/** A line of words of equal width. */
function across(y: number, texts: readonly string[]): Drawn[] {
  return texts.map((text, index) => ({ text, x: 40 + 40 * index, y })).filter(({ text }) => text !== '')
}

function read(...pages: readonly (readonly Drawn[])[]): Promise<ReadRow> {
  return onlyRow(pdfOf(pages))
}

async function onlyRow(file: Uint8Array): Promise<ReadRow> {
  const rows = await readPdf(file)
  expect(rows).toHaveLength(1)
  return rows[0]!
}

function openOf({ undecided }: ReadRow) {
  return Object.fromEntries(undecided.map(({ field, candidates }) => [field, candidates]))
}

describe('a PDF with a text layer', () => {
  it('proposes labelled values with page and box, and shows the text', async () => {
    const row = await read(labelled, [{ text: 'Datum: 31.03.2026', x: 40, y: 700 }])
    expect(contentOf(row)).toEqual({
      certificateNumber: 'Z-4711',
      heatNumber: 'H 175508',
      grade: 'S355J2+N',
      inspectionDocument: '3.1',
      thicknessMm: 12.5,
      issuedOn: '2026-03-31',
    })
    expect(openOf(row)).toEqual({})
    const at = row.values.find(({ field }) => field === 'heatNumber')!.at as {
      page: number
      box: readonly number[]
    }
    expect(at.page).toBe(1)
    const [left, bottom, right, top] = at.box
    expect([left, bottom, top]).toEqual([200, 784, 792])
    expect(right).toBeGreaterThan(left! + 20)
    expect(row.values.find(({ field }) => field === 'issuedOn')!.at).toMatchObject({ page: 2 })
    expect(row.pages!.map(({ page }) => page)).toEqual([1, 2])
    expect(row.pages![0]!.text).toContain('Werkstoff')
  })

  it.each([
    ['MILL TEST CERTIFICATE AS PER EN 10204 3.1', '3.1'],
    ['Abnahmeprüfzeugnis 3.2 nach DIN EN 10204', '3.2'],
    ['Test report EN 10204:2004 type 2.2', '2.2'],
  ])('reads the type of the document in a title: %s', async (text, type) => {
    const row = await read([{ text, x: 40, y: 820 }])
    expect(contentOf(row)).toMatchObject({ inspectionDocument: type })
  })

  it('reads standard and grade of a specification in words, unless a label states them', async () => {
    const title = { text: 'SPECIFICATION : BS 4449 : 2005 + A3:2016 GRADE B 500 B', x: 40, y: 820 }
    expect(contentOf(await read([title]))).toMatchObject({ standard: 'BS 4449', grade: 'B 500 B' })
    expect(contentOf(await read([title, ...labelled]))).toMatchObject({ grade: 'S355J2+N' })
  })

  it('takes the name between a code and its value for no value', async () => {
    const row = await onlyRow(await originalPdf(readExamples().certificates[0]!))
    expect(contentOf(row)).toMatchObject({
      certificateNumber: 'AB-2026-00417',
      heatNumber: '418822',
      inspectionDocument: '3.1',
      standard: 'EN 10025-2',
      grade: 'S355J2+AR',
      thicknessMm: 15,
      issuedOn: '2026-01-14',
      chemistry: { C: 0.16, Nb: 0.021 },
    })
    const process = await read([...labelled, ...table([['C70', 'EAF', 'H 4711']], 700)])
    expect(contentOf(process)).toMatchObject({ steelmakingProcess: 'EAF' })
  })

  it('places boxes on the page as it is shown, also when it is turned', async () => {
    const turned = pdfOf([labelled]).toString('latin1').replace('/MediaBox', '/Rotate 180 /MediaBox')
    const row = await onlyRow(Buffer.from(turned, 'latin1'))
    // Upside down, no text is horizontal from left to right.
    expect(row.values).toEqual([])
    expect(row.pages![0]!.text).toContain('Schmelze')
  })

  it('leaves open the fields that a certificate needs and the file does not name', async () => {
    const row = await read(
      table([
        ['Bestellung', 'PO-1'],
        ['This certificate names no heat and no steel', ''],
      ]),
    )
    expect(openOf(row)).toEqual({ certificateNumber: [], heatNumber: [], grade: [], inspectionDocument: [] })
    expect(row.undecided[0]!.at).toEqual({ page: 1, box: [0, 0, 595, 842] })
  })

  it('reads an analysis below its symbols, and no limits', async () => {
    const row = await read([
      ...labelled,
      ...across(600, ['', 'C', 'Si', 'Mn', 'P', 'CEV']),
      ...across(588, ['Unit', '%', '%', '%', 'ppm', '%']),
      ...across(576, ['Min', '', '', '0,9', '', '']),
      ...across(564, ['Max', '0,2', '0,5', '1,6', '300', '0,45']),
      ...across(552, ['Actual', '0,15', '<0,05', '1,20', '140', '0,41']),
      ...across(500, ['Page', '1', '2', '3', '4', '5']),
    ])
    expect(contentOf(row)).toMatchObject({ chemistry: { C: 0.15, Mn: 1.2, P: 0.014 }, statedCev: 0.41 })
    expect(openOf(row)).toEqual({ 'chemistry.Si': [0.05] })
  })

  it('makes a row of each heat that a table names, whatever a label says', async () => {
    const rows = await readPdf(
      pdfOf([
        [
          ...labelled,
          ...across(600, ['Heat', 'C', 'Si', 'Mn', 'Rm', 'A5']),
          ...across(588, ['H1', '0,15', '0,20', '1,20', '520', '24']),
          ...across(576, ['', '', '', '', '515', '25']),
          ...across(564, ['H2', '0,16', '0,20', '1,25', '530', '23']),
        ],
      ]),
    )
    const shared = { certificateNumber: 'Z-4711', grade: 'S355J2+N', inspectionDocument: '3.1' }
    expect(rows.map((row) => contentOf(row))).toEqual([
      {
        ...shared,
        thicknessMm: 12.5,
        heatNumber: 'H1',
        chemistry: { C: 0.15, Si: 0.2, Mn: 1.2 },
        tests: [
          { kind: 'tensile', rmMpa: 520, elongationPercent: 24, gaugeLength: '5.65' },
          { kind: 'tensile', rmMpa: 515, elongationPercent: 25, gaugeLength: '5.65' },
        ],
      },
      {
        ...shared,
        thicknessMm: 12.5,
        heatNumber: 'H2',
        chemistry: { C: 0.16, Si: 0.2, Mn: 1.25 },
        tests: [{ kind: 'tensile', rmMpa: 530, elongationPercent: 23, gaugeLength: '5.65' }],
      },
    ])
  })

  it('reads a table that goes on without headings on the next page, and misread headings', async () => {
    const rows = await readPdf(
      pdfOf([
        [
          ...labelled,
          ...across(600, ['HEAT J0', 'C', 's', 'Mn', 'Tensile']),
          ...across(590, ['', '', '', '', 'slrength']),
          ...across(576, ['48151', '0,15', '0,020', '1,20', '520']),
        ],
        across(760, ['48152', '0,16', '0,021', '1,25', '530']),
      ]),
    )
    expect(rows.map((row) => contentOf(row))).toMatchObject([
      { heatNumber: '48151', chemistry: { C: 0.15, S: 0.02, Mn: 1.2 }, tests: [{ rmMpa: 520 }] },
      { heatNumber: '48152', chemistry: { C: 0.16, S: 0.021, Mn: 1.25 }, tests: [{ rmMpa: 530 }] },
    ])
  })

  it('lists what no field takes, and what a certificate states and this one does not', async () => {
    const row = await read([
      ...labelled,
      ...table(
        [
          ['Reifegrad', '17'],
          ['Lieferweg', ':', 'Bahn'],
        ],
        700,
      ),
    ])
    expect(row.notTaken?.map(({ heading }) => heading)).toEqual(['Reifegrad: 17', 'Lieferweg: Bahn'])
    expect(row.notFound).toEqual([
      ...['manufacturer', 'standard', 'chemistry.C', 'chemistry.Si', 'chemistry.Mn', 'chemistry.P'],
      ...['chemistry.S', 'mechanical.reHMpa', 'mechanical.rmMpa', 'mechanical.a5Percent'],
    ])
  })

  it.each([
    ['another number', [['Zeugnis-Nr.', 'Z-4712']], [[1], [2]]],
    [
      'the same number',
      [
        ['Zeugnis-Nr.', 'Z-4711'],
        ['Blechdicke', '20 mm'],
      ],
      undefined,
    ],
    ['a first page', [['Page 1 of 2']], [[1], [2]]],
    ['a second page', [['Page 2 of 2'], ['Blechdicke', '20 mm']], undefined],
    ['another thickness', [['Blechdicke', '20 mm']], [[1], [2]]],
    ['nothing of a certificate', [['General conditions of sale']], undefined],
  ])('parts the pages of certificates: the next page has %s', async (_, next, expected) => {
    const rows = await readPdf(pdfOf([labelled, table(next)]))
    expect(rows.map(({ onPages }) => onPages)).toEqual(expected ?? [undefined])
  })

  it('leaves an analysis with a factor open', async () => {
    const scaled = await read([
      ...labelled,
      ...across(600, ['x100', 'C', 'Si', 'Mn']),
      ...across(588, ['', '15', '20', '120']),
    ])
    expect(openOf(scaled)).toEqual({ 'chemistry.C': [15], 'chemistry.Si': [20], 'chemistry.Mn': [120] })
  })

  it('reads a table of headings, and leaves open what has several rows', async () => {
    const row = await read(
      table(
        [
          ['Zeugnis-Nr.', 'Schmelze', 'Werkstoff', 'EN 10204', 'Dicke (mm)'],
          ['Z-1', 'H1', 'S355J2', '3.1', '10'],
          ['Z-1', 'H2', 'S355J2', '3.1', '10'],
        ],
        800,
        [40, 150, 260, 370, 480],
      ),
    )
    expect(contentOf(row)).toEqual({
      certificateNumber: 'Z-1',
      grade: 'S355J2',
      inspectionDocument: '3.1',
      thicknessMm: 10,
    })
    expect(openOf(row)).toEqual({ heatNumber: ['H1', 'H2'] })
  })

  it('leaves open an ambiguous kind of test, also when its label takes two lines', async () => {
    const row = await read([
      ...labelled,
      { text: 'C11 Streckgrenze ReH/', x: 40, y: 600 },
      { text: '377 MPa', x: 300, y: 600 },
      { text: 'RP0,2', x: 40, y: 590.4 },
      { text: 'C13 Bruchdehnung A5/A80', x: 40, y: 560 },
      { text: '29,7 %', x: 300, y: 560 },
    ])
    expect(openOf(row)).toEqual({
      'tests.0.reHMpa': [377],
      'tests.0.rp02Mpa': [377],
      'tests.0.gaugeLength': ['5.65', '80'],
    })
  })

  it('leaves open single values, a mean and limits beside each other, and 6.000 mm', async () => {
    const row = await read([
      ...labelled.filter(({ y }) => y > 740),
      ...across(600, ['Rm', '510', '520', '515', '470']),
      ...across(580, ['Breite', '6.000 mm']),
    ])
    expect(openOf(row)).toEqual({ 'mechanical.rmMpa': [510, 520, 515, 470], widthMm: [6, 6000] })
  })

  it('takes a word within a sentence for no label', async () => {
    const row = await read([
      ...labelled,
      { text: 'The width of the', x: 40, y: 600 },
      { text: 'material and its heat number are', x: 105, y: 600 },
      { text: 'Heat treatment', x: 40, y: 580 },
      { text: '920', x: 200, y: 580 },
    ])
    expect(row.values).toHaveLength(5)
    expect(row.undecided).toEqual([])
  })
})

describe('a PDF that cannot be imported', () => {
  it('is refused when its pages are empty', async () => {
    await expect(read([])).rejects.toThrow('There is no text on the pages')
  })

  it('is refused by name when it is encrypted', async () => {
    const key = `<${'5'.repeat(64)}>`
    const encrypted = pdfOf([labelled], {
      objects: [`<< /Filter /Standard /V 1 /R 2 /O ${key} /U ${key} /P -4 >>`],
      trailer: `/Encrypt 5 0 R /ID [${key} ${key}]`,
    })
    await expect(onlyRow(encrypted)).rejects.toThrow('The PDF is encrypted. Save it without a password.')
  })

  it('is refused with the bound when it has too many pages or too much text', async () => {
    await expect(read(...Array.from({ length: mostPages + 1 }, () => []))).rejects.toThrow(
      `more than ${mostPages}`,
    )
    const long = Array.from({ length: 6_000 }, (_, line) => ({ text: 'x'.repeat(100), x: 40, y: line / 8 }))
    await expect(read(long)).rejects.toThrow(`more than ${mostCharacters} characters`)
  })

  it('is refused when its pages lead in a circle', async () => {
    const circle = pdfOf([labelled])
      .toString('latin1')
      .replace(/\/Kids \[[^\]]*\]/, '/Kids [2 0 R]')
    await expect(onlyRow(Buffer.from(circle, 'latin1'))).rejects.toMatchObject({ code: 'unreadable' })
  })

  it('is refused by name, whatever is damaged', async () => {
    const whole = pdfOf([labelled])
    const damage = fc.record({
      at: fc.nat(whole.length - 1),
      bytes: fc.uint8Array({ minLength: 1, maxLength: 8 }),
      end: fc.integer({ min: 10, max: whole.length }),
    })
    await fc.assert(
      fc.asyncProperty(damage, async ({ at, bytes, end }) => {
        const damaged = Buffer.from(whole)
        damaged.set(bytes.subarray(0, whole.length - at), at)
        try {
          contentOf(await onlyRow(damaged.subarray(0, end)))
        } catch (error) {
          expect(error).toMatchObject({ code: 'unreadable' })
        }
      }),
      { numRuns: sized(50, 500) },
    )
  })
})

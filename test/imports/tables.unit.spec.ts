import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { usualElements } from '../../src/domain/certificates/elements.ts'
import { normalise } from '../../src/domain/kernel/spellings.ts'
import { contentOf } from '../../src/imports/content.ts'
import { type ImportKind, importKinds, readFile, readTable } from '../../src/imports/read.ts'
import type { ReadRow } from '../../src/imports/readRow.ts'
import { certificateColumns } from '../../src/imports/tables/certificates.ts'
import type { Table } from '../../src/imports/tables/table.ts'
import type { Cell } from '../../src/lib/sheets/cells.ts'
import { type CsvForm, csvForms, csvLines, csvStart } from '../../src/lib/sheets/csv.ts'
import { sized } from '../support/size.ts'

async function rowsOf(rows: AsyncIterable<ReadRow>): Promise<ReadRow[]> {
  const all: ReadRow[] = []
  for await (const row of rows) all.push(row)
  return all
}

function readText(kind: ImportKind, csv: string | Uint8Array) {
  return rowsOf(readFile({ kind, format: 'csv', bytes: Buffer.from(csv) }))
}

const certificates = (csv: string | Uint8Array) => readText('certificates', csv)

function sheet(
  rows: Table['rows'] extends infer _ ? readonly (readonly (string | number | Date | null)[])[] : never,
) {
  const table = rows.map((cells, index) => ({ line: index + 1, cells }))
  return rowsOf(readTable('certificates', { isSpreadsheet: true, rows: table }))
}

function openOf(row: ReadRow | undefined) {
  return Object.fromEntries(row!.undecided.map(({ field, candidates }) => [field, candidates]))
}

/** ISO 8859-1 agrees with Windows-1252 in these letters. */
const windows1252 = (text: string) => Buffer.from(text, 'latin1')

const german = [
  'Zeugnisnummer;Schmelze;Werkstoff;Abnahmeprüfzeugnis;Hersteller;Dicke [mm];C;Mn;ReH;Datum',
  'Z-1;4711;S355J2+N;3.1;Hütte Süd;12,5;0,15;1,20;371;31.03.2026',
].join('\r\n')

describe('a table of certificates', () => {
  it.each([
    ['UTF-8', Buffer.from(german)],
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${german}`)],
    ['Windows-1252', windows1252(german)],
    ['UTF-16', Buffer.from(`\uFEFF${german}`, 'utf16le')],
  ])('reads German headings and decimal commas in %s', async (_, bytes) => {
    const [row] = await certificates(bytes)
    expect(contentOf(row!)).toEqual({
      certificateNumber: 'Z-1',
      heatNumber: '4711',
      grade: 'S355J2+N',
      inspectionDocument: '3.1',
      manufacturer: 'Hütte Süd',
      thicknessMm: 12.5,
      chemistry: { C: 0.15, Mn: 1.2 },
      mechanical: { reHMpa: 371 },
      issuedOn: '2026-03-31',
    })
    expect(row!.values.find(({ field }) => field === 'thicknessMm')?.at).toEqual({ line: 2, column: 6 })
  })

  it('finds headings below a title, in two rows, and passes over units, empty lines and totals', async () => {
    const rows = await certificates(
      [
        'Stahl Nord GmbH;;;;;;',
        '',
        'Zeugnis-Nr.;Schmelze;Werkstoff;EN 10204;Chemische Analyse;;',
        ';;;;C;Si;Mn',
        ';;;;%;%;%',
        'Z-1;H1;S235JR;3.1;0,1;0,2;0,9',
        ';;;;;;',
        'Z-2;H2;S235JR;2.2;0,11;0,2;0,9',
        'Summe;2;;;;;',
      ].join('\n'),
    )
    expect(rows.map((row) => contentOf(row))).toMatchObject([
      { certificateNumber: 'Z-1', chemistry: { C: 0.1, Si: 0.2, Mn: 0.9 } },
      { certificateNumber: 'Z-2', inspectionDocument: '2.2' },
    ])
    expect(rows.map(({ row, at }) => [row, at])).toEqual([
      [1, { line: 6, column: 1 }],
      [2, { line: 8, column: 1 }],
    ])
  })

  it.each([
    [new Date('2026-01-03T00:00:00Z'), '3.1'],
    ['03.01.2026', '3.1'],
    ['02.02.26', '2.2'],
    ['03. Jan', '3.1'],
    ['3,1', '3.1'],
    [46_025, '3.1'],
    [3.2, '3.2'],
  ])('undoes what a spreadsheet makes of a document type: %j is %s', async (cell, type) => {
    const [row] = await sheet([
      ['Zeugnis', 'Schmelze', 'EN 10204'],
      ['Z-1', 'H1', cell],
    ])
    expect(contentOf(row!)).toMatchObject({ inspectionDocument: type })
    expect(row!.values.at(-1)?.at).toEqual({ line: 2, column: 3, cell: 'C2' })
  })

  it('leaves a document type in words open', async () => {
    const [row] = await certificates('Zeugnis;Schmelze;EN 10204\nZ;H;Abnahmeprüfzeugnis 3.1')
    expect(openOf(row)).toEqual({ inspectionDocument: ['3.1'] })
  })

  it('reads numbers stored as text, and text stored as numbers', async () => {
    const [row] = await sheet([
      ['certificateNumber', 'heatNumber', 'C'],
      [20_260_001, 4711, '0,18'],
    ])
    expect(contentOf(row!)).toEqual({
      certificateNumber: '20260001',
      heatNumber: '4711',
      chemistry: { C: 0.18 },
    })
  })

  it.each(['A (ASTM E8)', 'A5 ASTM E8M', 'Elongation A (A370)', 'A 4D', 'A (2 in)', 'A JIS Z 2241'])(
    'does not take the elongation %j for 5.65 √S0',
    async (heading) => {
      const [row] = await certificates(`Zeugnis;Schmelze;${heading}\nZ;H;29,7`)
      expect(contentOf(row!)).toMatchObject({ tests: [{ kind: 'tensile', elongationPercent: 29.7 }] })
      expect(contentOf(row!)).not.toHaveProperty('mechanical')
      expect(openOf(row)).toEqual({ 'tests.0.gaugeLength': [] })
    },
  )

  it('never reads CE as cerium, and leaves limits and unknown kinds open', async () => {
    const [row] = await certificates(
      'Zeugnis;Schmelze;CE;Nb;ReH/Rp0,2;A5/A80;CEV\nZ;H;0,41;<0,005;377;29,7;0,42',
    )
    expect(openOf(row)).toEqual({
      statedCev: [0.41, 0.42],
      'chemistry.Nb': [0.005],
      'tests.0.reHMpa': [377],
      'tests.0.rp02Mpa': [377],
      'tests.0.gaugeLength': ['5.65', '80'],
    })
    expect(contentOf(row!)).not.toHaveProperty('chemistry')
  })

  it('leaves a date open whose day and month cannot be told apart', async () => {
    const [row] = await certificates('Certificate,Heat,Date\nC,H,03/04/2026')
    expect(openOf(row)).toEqual({ issuedOn: ['2026-04-03', '2026-03-04'] })
  })

  it('names the place of a value that is no number', async () => {
    const [row] = await certificates('Certificate,Heat,Thickness\nC,H,thick')
    expect(row!.faults).toEqual([
      {
        field: 'thicknessMm',
        at: { line: 2, column: 3 },
        code: 'wrong-type',
        message: 'must be a number, but is "thick"',
      },
    ])
  })

  it('turns other units of length and ppm into those of the field', async () => {
    const [row] = await certificates('Certificate,Heat,Width (cm),N [ppm]\nC,H,20,47')
    expect(contentOf(row!)).toMatchObject({ widthMm: 200, chemistry: { N: 0.0047 } })
  })

  it.each([
    ['decimal commas in every cell', 'C;Mn;P\n0,1;0,2;0,3\n0,1;0,2;0,3', { C: 0.1, Mn: 0.2, P: 0.3 }],
    ['commas in free text', 'C;Mn;Bemerkung\n0,1;0,2;a, b, c, d, e, f', { C: 0.1, Mn: 0.2 }],
    ['semicolons in free text', 'C,Mn,Remark\n0.1,0.2,a;b;c;=d;e;f', { C: 0.1, Mn: 0.2 }],
    ['separators within quotes', 'C,Mn,"Remark;=;=;="\n0.1,0.2,"x;=y;=z"', { C: 0.1, Mn: 0.2 }],
    ['a quote within a text', 'C;Size;Mn\n0,1;5" x 6", long;0,2', { C: 0.1, Mn: 0.2 }],
    ['the separator named by a spreadsheet', 'sep=;\nC;Mn\n0,1;0,2', { C: 0.1, Mn: 0.2 }],
    ['a formula in a line above', ';=SUM(A2;A3);=B2\nC,Mn\n0.1,0.2', { C: 0.1, Mn: 0.2 }],
    ['tabulators', 'C\tMn\n0,1\t0,2', { C: 0.1, Mn: 0.2 }],
    [
      'a quote that is open where the sample ends',
      `C;Mn\n0,1;0,2\n;;"${'x'.repeat(20_000)}"`,
      { C: 0.1, Mn: 0.2 },
    ],
  ])('finds the separator in spite of %s', async (_, csv, chemistry) => {
    const [row] = await certificates(csv)
    expect(contentOf(row!)).toEqual({ chemistry })
    expect(row!.undecided).toEqual([])
  })

  it('reads a text that a program has written as a formula, to keep its zeros', async () => {
    const csv = 'Zeugnis;Schmelze;Werkstoff\n="00123";"=""0,1;=""";=1+1'
    const [row] = await certificates(csv)
    expect(contentOf(row!)).toEqual({ certificateNumber: '00123', heatNumber: '0,1;=', grade: '=1+1' })
  })

  it('refuses a table without known headings by name', async () => {
    await expect(certificates('a,b\n1,2')).rejects.toMatchObject({ code: 'unreadable' })
    await expect(certificates('')).rejects.toMatchObject({ code: 'unreadable' })
  })
})

describe('units in a table', () => {
  const valuesOf = (row: ReadRow | undefined) =>
    Object.fromEntries(row!.values.map(({ field, value, conversion }) => [field, [value, conversion]]))

  it('converts a number by the unit of its heading, its cell or the row of units, and says so', async () => {
    const [row] = await certificates(
      [
        'Certificate;Heat;Thickness;ReH [ksi];Tensile strength;CVN, ft-lbs;Test temp.;Cb',
        ';;in;;psi;;°F;',
        'C-1;H1;0.75;56.5;78,300.5;20;-4;0.03',
        'C-2;H2;0.75;390 N/mm²;78 ksi;27 J;-20 °C;30 ppm',
      ].join('\n'),
    )
    expect(valuesOf(row)).toMatchObject({
      thicknessMm: [19.05, '0.75 in = 19.05 mm'],
      'mechanical.reHMpa': [390, '56.5 ksi = 390 MPa'],
      'mechanical.rmMpa': [540, '78300.5 psi = 540 MPa'],
      'mechanical.kvJoule': [27.1, '20 ft-lbs = 27.1 J'],
      'mechanical.kvTemperatureC': [-20, '-4 °F = -20 °C'],
      'chemistry.Nb': [0.03, undefined],
    })
  })

  it('prefers the unit of the cell to that of the column', async () => {
    const [row] = await certificates('Certificate;Heat;ReH [ksi];Rm;Nb\nC-2;H2;390 N/mm²;78 ksi;<30 ppm')
    expect(valuesOf(row)).toMatchObject({
      'mechanical.reHMpa': [390, undefined],
      'mechanical.rmMpa': [538, '78 ksi = 538 MPa'],
    })
    expect(openOf(row)).toEqual({ 'chemistry.Nb': [0.003] })
  })

  it.each([
    ['ReH [tsf]', '25'],
    ['ReH', '25 tsf'],
  ])('asks about a number in an unknown unit: %s, %s', async (heading, cell) => {
    const [row] = await certificates(`Certificate;Heat;${heading}\nC;H;${cell}`)
    expect(row!.undecided).toMatchObject([{ field: 'mechanical.reHMpa', candidates: [], text: '25 tsf' }])
  })

  it('reads headings that are stacked, with their units', async () => {
    const [row] = await certificates(
      'Heat;Certificate;Yield;Tensile;Charpy\nNo.;number;point;strength;V-notch\n;;ksi;ksi;ft lbf\nH1;C-1;50;70;20',
    )
    expect(contentOf(row!)).toMatchObject({
      heatNumber: 'H1',
      certificateNumber: 'C-1',
      mechanical: { rmMpa: 483, kvJoule: 27.1 },
      tests: [{ kind: 'tensile', rawYieldMpa: 345, rawYieldKind: 'Yield point' }],
    })
  })

  it('lists the columns that no field takes, with the number of their values', async () => {
    const [first, second] = await certificates(
      'Certificate;Heat;Coating;Grade;;Colour\nC;H;zinc;S235JR;x;\nC;I;zinc;S235JR;;',
    )
    expect(first!.notTaken).toEqual([
      { heading: 'Coating', values: 2, at: { line: 1, column: 3 } },
      { heading: '', values: 1, at: { line: 1, column: 5 } },
    ])
    expect(second!.notTaken).toBeUndefined()
  })
})

describe('a table of orders', () => {
  it('makes one order of the rows with one number', async () => {
    const csv =
      'Auftrag;Kunde;Pos;Länge;Stück;Profil\nSO-1;Bau AG;10;4.200,5;3;HEA 200\nSO-2;;10;1000,5;1;\nso-1;;20;900;2;'
    const rows = await readText('orders', csv)
    expect(rows.map((row) => contentOf(row))).toEqual([
      {
        orderNumber: 'SO-1',
        customer: 'Bau AG',
        lineItems: [
          { lineNumber: 10, lengthMm: 4200.5, quantity: 3, profile: 'HEA 200' },
          { lineNumber: 20, lengthMm: 900, quantity: 2 },
        ],
      },
      { orderNumber: 'SO-2', lineItems: [{ lineNumber: 10, lengthMm: 1000.5, quantity: 1 }] },
    ])
  })
})

describe('a number with one group of three digits', () => {
  it.each(['6.000', '6,000'])('stays open as a length or a quantity: %s', async (text) => {
    const csv = `Auftrag;Pos;Länge;Stück\nSO-1;10;${text};${text}`
    const [order] = await readText('orders', csv)
    expect(openOf(order)).toEqual({ 'lineItems.0.lengthMm': [6, 6000], 'lineItems.0.quantity': [6, 6000] })
    expect(order!.undecided[0]).toMatchObject({ text, at: { line: 2, column: 3 } })
  })

  it('stays open in the unit of its heading, and as a strength', async () => {
    const [row] = await certificates('Zeugnis;Schmelze;Breite (cm);Rm;ReL\nZ;H;1.250;1.050;1,010')
    expect(openOf(row)).toEqual({
      widthMm: [12.5, 12_500],
      'mechanical.rmMpa': [1.05, 1050],
      'tests.0.reLMpa': [1.01, 1010],
    })
  })

  it('is a fraction as a percentage, which has no thousands', async () => {
    const [row] = await certificates('Zeugnis;Schmelze;Mn;A5\nZ;H;1.250;21,500')
    expect(contentOf(row!)).toMatchObject({ chemistry: { Mn: 1.25 }, mechanical: { a5Percent: 21.5 } })
  })

  it.each(['0,125', '1.2500', '12.000,5', '6 000', '6000'])(
    'is none in %s, which says one number',
    async (text) => {
      const [row] = await certificates(`Zeugnis;Schmelze;Breite\nZ;H;${text}`)
      expect(row!.undecided).toEqual([])
      expect(contentOf(row!)).toHaveProperty('widthMm')
    },
  )

  it('stays open in ppm, of which there may be thousands', async () => {
    const [row] = await certificates('Zeugnis;Schmelze;N [ppm]\nZ;H;1.250')
    expect(openOf(row)).toEqual({ 'chemistry.N': [0.000125, 0.125] })
  })

  it('is refused as the quantity of a plan, which says how many cuts there are', async () => {
    const [plan] = await readText('plans', 'Plan;Länge;Menge\nP;1000;2.000')
    expect(plan!.faults).toMatchObject([{ field: 'quantity', at: { line: 2, column: 3 } }])
  })
})

describe('a number that no double holds', () => {
  it.each(['thicknessMm', 'mechanical.rmMpa', 'statedCev', 'chemistry.Mn'])(
    'is a fault at its place in the column %s',
    async (field) => {
      const refused = (at: object, quote: string) => [
        { field, at, code: 'wrong-type', message: `must be a number, but is "${quote}"` },
      ]
      const [ofText] = await certificates(`Zeugnis;Schmelze;${field}\nZ;H;1e400`)
      expect(ofText!.faults).toEqual(refused({ line: 2, column: 3 }, '1e400'))
      const [ofNumber] = await sheet([
        ['Zeugnis', 'Schmelze', field],
        ['Z', 'H', Number.POSITIVE_INFINITY],
      ])
      expect(ofNumber!.faults).toEqual(refused({ line: 2, column: 3, cell: 'C2' }, 'Infinity'))
      expect([...ofText!.values, ...ofNumber!.values].map((value) => value.field)).not.toContain(field)
    },
  )

  it('is a fault when only its unit makes it too large', async () => {
    const [row] = await certificates('Zeugnis;Schmelze;Breite (m)\nZ;H;1e308')
    expect(row!.faults).toMatchObject([{ field: 'widthMm', code: 'wrong-type' }])
  })

  it('stays open in the column of an element, and as a yield strength of an unknown kind', async () => {
    const infinite = Number.POSITIVE_INFINITY
    const [row] = await sheet([
      ['Zeugnis', 'Schmelze', 'Mn', 'ReH/Rp0,2'],
      ['Z', 'H', infinite, infinite],
    ])
    expect(openOf(row)).toEqual({ 'chemistry.Mn': [], 'tests.0.reHMpa': [], 'tests.0.rp02Mpa': [] })
    expect(row!.faults).toMatchObject([{ field: 'tests.0.rawYieldMpa', code: 'wrong-type' }])
  })

  it('is a text within a cell of JSON, so that the check of the record refuses it', async () => {
    const [row] = await certificates(
      'Zeugnis;Schmelze;tests;chemistry\nZ;H;[{"kind":"tensile","rmMpa":1e400}];{"Zn":-1e400}',
    )
    expect(contentOf(row!)).toMatchObject({
      tests: [{ kind: 'tensile', rmMpa: 'Infinity' }],
      chemistry: { Zn: '-Infinity' },
    })
  })
})

describe('a table of plans', () => {
  it('makes bars of the rows with one plan and bar, and cuts of a quantity', async () => {
    const csv = [
      'name,bar,stockLengthMm,grade,orderNumber,lineNumber,lengthMm,quantity',
      'Week 47,1,12000,S355J2,SO-1,10,4000,2',
      'Week 47,1,12000,S355J2,SO-1,20,3000,',
      'Week 47,2,6000,S235JR,SO-2,10,6000,1',
    ].join('\n')
    const [row] = await readText('plans', csv)
    const cut = (orderNumber: string, lineNumber: number, lengthMm: number) => ({
      orderNumber,
      lineNumber,
      lengthMm,
    })
    expect(contentOf(row!)).toEqual({
      name: 'Week 47',
      bars: [
        {
          stockLengthMm: 12_000,
          grade: 'S355J2',
          cuts: [cut('SO-1', 10, 4000), cut('SO-1', 10, 4000), cut('SO-1', 20, 3000)],
        },
        { stockLengthMm: 6000, grade: 'S235JR', cuts: [cut('SO-2', 10, 6000)] },
      ],
    })
  })
})

/** Texts as people write them: no white space at the ends, and not one of the marks for "nothing". */
const words = fc
  .string({ unit: fc.constantFrom(...'abcXYZ0123456789 =+-@\'",;.äß/\n'), minLength: 1, maxLength: 12 })
  .map((text) => text.trim())
  .filter((text) => /[a-zA-Z0-9].*[a-zA-Z0-9]/.test(text) && !/^(?:n.?a|k.?A|sum)/i.test(text))

const number = fc.double({ min: 0, max: 100, noNaN: true }).map((value) => (Object.is(value, -0) ? 0 : value))
/** A whole share is left open, because it may be hundredths or ppm. */
const share = number.filter((value) => value === 0 || !Number.isInteger(value))

const certificate = fc.record(
  {
    certificateNumber: words,
    heatNumber: words,
    item: words,
    standard: words,
    grade: words,
    profile: words,
    manufacturer: words,
    purchaseOrder: words,
    steelmakingProcess: words,
    inspector: words,
    deliveryCondition: fc.constantFrom('AR', 'N', 'M', 'QT', 'N+SR'),
    zQuality: fc.constantFrom('Z15', 'Z25', 'Z35'),
    inspectionDocument: fc.constantFrom('2.1', '2.2', '3.1', '3.2'),
    productForm: fc.constantFrom('Plate', 'Coil', 'Section', 'HollowSection', 'Bar', 'Tube', 'Other'),
    analysis: fc.constantFrom('ladle', 'product'),
    thicknessMm: number,
    widthMm: number,
    statedCev: number,
    solubleAluminium: number,
    issuedOn: fc
      .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10)),
    mechanical: fc.dictionary(
      fc.constantFrom('reHMpa', 'rmMpa', 'a5Percent', 'kvJoule', 'kvTemperatureC'),
      number,
      { minKeys: 1, noNullPrototype: true },
    ),
    chemistry: fc.dictionary(fc.constantFrom(...usualElements, 'Zn', 'Ce'), share, {
      minKeys: 1,
      noNullPrototype: true,
    }),
    tests: fc.array(fc.record({ kind: fc.constant('tensile'), rmMpa: number }), {
      minLength: 1,
      maxLength: 2,
    }),
  },
  { requiredKeys: ['certificateNumber', 'heatNumber'] },
)

/** Fill the template as a person would: a heading for each field that any of the certificates has. */
function filled(rows: readonly object[], form: CsvForm): string {
  const elements = [...usualElements, 'Zn', 'Ce'].map((symbol) => `chemistry.${symbol}`)
  const headings = [...certificateColumns.map(({ field }) => field), ...elements]
  const cellOf = (row: object, field: string): Cell => {
    const value = field
      .split('.')
      .reduce<unknown>((part, step) => (part as Record<string, unknown>)?.[step], row)
    if (typeof value === 'object') return field === 'tests' ? JSON.stringify(value) : null
    return value as Cell
  }
  const cells = rows.map((row) => headings.map((field) => cellOf(row, field)))
  return csvStart(form) + csvLines([headings, ...cells], form)
}

const numbersOf = ({ certificateNumber, heatNumber, item }: Readonly<Record<string, unknown>>) =>
  JSON.stringify([certificateNumber, heatNumber, item].map((number) => normalise(String(number ?? ''))))

describe('the template', () => {
  it('gives back every certificate that was written into it', async () => {
    await fc.assert(
      fc.asyncProperty(
        // Rows with the same numbers are one certificate with several tests.
        fc.uniqueArray(certificate, { minLength: 1, maxLength: 4, selector: numbersOf }),
        fc.constantFrom(...csvForms),
        async (rows, form) => {
          const read = await certificates(filled(rows, form))
          expect(read.map((row) => contentOf(row))).toEqual(rows)
          expect(read.flatMap(({ undecided, faults }) => [...undecided, ...faults])).toEqual([])
        },
      ),
      { numRuns: sized(100, 2_000) },
    )
  })

  it('never throws anything but a refusal by name, whatever the file holds', async () => {
    const garbage = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc
        .array(
          fc.constantFrom(
            'Zeugnis',
            'Schmelze',
            'C',
            ';',
            '\n',
            '"',
            '1,5',
            '3.1',
            ',',
            'ReH/Rp0,2',
            '\0',
            'ü',
          ),
          {
            maxLength: 60,
          },
        )
        .map((parts) => Buffer.from(`Zeugnis;Schmelze;C\n${parts.join('')}`)),
    )
    await fc.assert(
      fc.asyncProperty(garbage, fc.constantFrom(...importKinds), async (bytes, kind) => {
        try {
          for (const row of await readText(kind, bytes)) contentOf(row)
        } catch (error) {
          expect(error).toMatchObject({ code: 'unreadable' })
        }
      }),
      { numRuns: sized(100, 2_000) },
    )
  })
})

describe('a table with one row for each test', () => {
  const headings = 'Certificate No;Heat No;Grade;Thickness [mm];ReH (MPa);Rm (MPa);A5 (%);KV [J];T [°C]'

  it('makes one certificate with several tests, and keeps a failing test before a good one', async () => {
    const rows = await certificates(
      `${headings}\n24-118/04;88003;S355J2+N;20;329;540;26;19;-20\n24-118/04;88003;S355J2+N;20;402;548;27;90;-20`,
    )
    expect(rows.map((row) => contentOf(row))).toEqual([
      {
        certificateNumber: '24-118/04',
        heatNumber: '88003',
        grade: 'S355J2+N',
        thicknessMm: 20,
        tests: [
          { kind: 'tensile', reHMpa: 329, rmMpa: 540, elongationPercent: 26, gaugeLength: '5.65' },
          { kind: 'impact', valuesJoule: [19], temperatureC: -20 },
          { kind: 'tensile', reHMpa: 402, rmMpa: 548, elongationPercent: 27, gaugeLength: '5.65' },
          { kind: 'impact', valuesJoule: [90], temperatureC: -20 },
        ],
      },
    ])
  })

  it('asks about shares that are printed without their decimals', async () => {
    const [inHundredths, alloy] = await certificates(
      'Certificate;Heat;C;P;Ni;Mn\nC-1;H1;17;12;2;1,42\nC-2;H2;0,03;0,02;10;2',
    )
    expect(inHundredths!.undecided.map(({ field, doubt }) => [field, doubt?.text])).toEqual(
      ['C', 'P', 'Ni'].map((element) => [`chemistry.${element}`, 'whole-share']),
    )
    expect(inHundredths!.faults.map(({ code }) => code)).toEqual(Array(3).fill('unconfirmed'))
    expect(contentOf(alloy!)).toMatchObject({ chemistry: { Ni: 10, Mn: 2 } })
  })

  it('parts the tests of two mills that number alike', async () => {
    const rows = await certificates(
      'Certificate;Heat;Mill;ReH;Rm\nC-1;H1;Ostwerk;390;520\nC-1;H1;Westwerk;300;450\n;;;301;451\nC-1;H1;;302;452\nC-1;H1;ostwerk;391;521',
    )
    const testsOf = ({ tests = [] }: { tests?: { rmMpa: number }[] }) => tests.map(({ rmMpa }) => rmMpa)
    expect(rows.map((row) => testsOf(contentOf(row)))).toEqual([
      [520, 521],
      [450, 451, 452],
    ])
  })

  it('reads what reinforcing steel states', async () => {
    const rows = await certificates(
      'Heat;Certificate;Grade;Nominal diameter [mm];Rm (MPa);Rm/Re;Agt (%);Mass (kg/m);Bend test;Rebend\n' +
        '2600319;MC-1;B500B;32;661;1,20;8,9;6,191;OK;passed\n2600319;MC-1;B500B;32;683;1,19;8,4;6,201;OK;passed',
    )
    expect(rows.map((row) => contentOf(row))).toMatchObject([
      {
        nominalDiameterMm: 32,
        bend: 'passed',
        rebend: 'passed',
        tests: [
          { kind: 'tensile', rmMpa: 661, rmReRatio: 1.2, agtPercent: 8.9, massPerMetreKg: 6.191 },
          { kind: 'tensile', rmMpa: 683, rmReRatio: 1.19, agtPercent: 8.4, massPerMetreKg: 6.201 },
        ],
      },
    ])
    const maximum = 'Heat;Certificate;Grade;Total elongation at maximum force (%)\n1;MC-1;B500B;8,9'
    expect((await certificates(maximum)).map((row) => contentOf(row))).toMatchObject([
      { mechanical: { agtPercent: 8.9 } },
    ])
  })

  it('takes rows below merged cells for further tests of the same certificate', async () => {
    const rows = await certificates(`${headings}\nMC-1;88001;S355J2+N;20;402;548;27\n;;;;329;540;26`)
    expect(rows).toHaveLength(1)
    expect(contentOf(rows[0]!)).toMatchObject({ tests: [{ reHMpa: 402 }, { reHMpa: 329 }] })
  })

  it('leaves a value of the certificate open about which its rows differ', async () => {
    const [row] = await certificates(
      `${headings}\nMC-1;88001;S355J2+N;20;402;548;27\nMC-1;88001;S355J2+N;25;398;541;28`,
    )
    expect(row!.undecided).toMatchObject([{ field: 'thicknessMm', candidates: [20, 25] }])
  })

  it('keeps certificates apart that differ in their heat', async () => {
    const rows = await certificates(`${headings}\nMC-1;88001;S355J2+N;20;402\nMC-1;88002;S355J2+N;20;398`)
    expect(rows.map((row) => contentOf(row))).toMatchObject([
      { heatNumber: '88001' },
      { heatNumber: '88002' },
    ])
  })
})

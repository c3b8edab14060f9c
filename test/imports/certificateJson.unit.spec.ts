import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCertificateJson } from '../../src/imports/certificates/json.ts'
import { readFile } from '../../src/imports/read.ts'

function en10168(certificate: object) {
  return readCertificateJson({
    RefSchemaUrl: 'https://example.test/en10168-schemas/v0.5.0/schema.json',
    Certificate: certificate,
  })
}

/** The row of a certificate whose analysis has these symbols, each with its result. */
function analysis(elements: Readonly<Record<string, object | string>>) {
  const composition = Object.entries(elements).map(([symbol, actual], index) => [
    `C${71 + index}`,
    typeof actual === 'string'
      ? { Symbol: symbol, Actual: { Value: actual }, Unit: '%' }
      : { Symbol: symbol, ...actual },
  ])
  const [row] = en10168({ Inspection: { C00: 'H1', ChemicalComposition: Object.fromEntries(composition) } })
  return { values: valuesOf(row!), open: openOf(row!) }
}

type Row = ReturnType<typeof readCertificateJson>[number]

function valuesOf({ values }: Row) {
  return Object.fromEntries(values.map(({ field, value }) => [field, value]))
}

function openOf({ undecided }: Row) {
  return Object.fromEntries(undecided.map(({ field, candidates }) => [field, candidates]))
}

function passport(parts: { Product?: object; MechanicalProperties?: readonly object[] }) {
  const [row] = readCertificateJson({ DigitalMaterialPassport: { Id: 'P1', ...parts } })
  return { values: valuesOf(row!), open: openOf(row!) }
}

describe('an analysis', () => {
  it('reads symbols in capitals, and never CE, CEV or Ce as cerium', () => {
    const { values, open } = analysis({ MN: '1.2', AL: '0.03', CEV: '0.42', C: '0,15' })
    expect(values).toMatchObject({
      'chemistry.Mn': 1.2,
      'chemistry.Al': 0.03,
      'chemistry.C': 0.15,
      statedCev: 0.42,
    })
    expect(open).not.toHaveProperty(['chemistry.Ce'])
    for (const symbol of ['CE', 'Ce', 'ce']) {
      const read = analysis({ [symbol]: '0.41' })
      expect(read.values).not.toHaveProperty(['chemistry.Ce'])
      expect(read.open).toMatchObject({ statedCev: [0.41] })
      expect(read.open).not.toHaveProperty(['chemistry.Ce'])
    }
  })

  it('leaves Ce beside other rare earths open', () => {
    const { values, open } = analysis({ La: '0.01', Ce: '0.02' })
    expect(values).not.toHaveProperty(['chemistry.Ce'])
    expect(open).toMatchObject({ 'chemistry.Ce': [0.02], statedCev: [0.02] })
  })

  it('takes a carbon equivalent by its formula', () => {
    const iiw = analysis({ CE: { Actual: { Value: '0.4' }, Formula: 'C + Mn/6 + (Cr+Mo+V)/5 + (Ni+Cu)/15' } })
    expect(iiw.values).toMatchObject({ statedCev: 0.4 })
    const other = analysis({ F1: { Actual: { Value: '0.4' }, Formula: 'Cr+Ni+Mo' }, CET: '0.3' })
    expect(other.values).not.toHaveProperty('statedCev')
    expect(other.open).not.toHaveProperty('statedCev')
  })

  it('turns ppm into percent, and leaves other units open', () => {
    const { values, open } = analysis({
      N: { Actual: { Value: '47' }, Unit: 'ppm' },
      B: { Actual: { Value: '3' }, Unit: 'g/t' },
    })
    expect(values).toMatchObject({ 'chemistry.N': 0.0047 })
    expect(open).toMatchObject({ 'chemistry.B': [] })
  })

  it('leaves a text in ppm open that may state thousands, and takes the number of the file as it is', () => {
    const { values, open } = analysis({
      N: { Actual: { Value: '1,250' }, Unit: 'ppm' },
      B: { Actual: { Value: 1.25 }, Unit: 'ppm' },
      Mn: '1,250',
    })
    expect(open).toEqual({ ...open, 'chemistry.N': [0.000125, 0.125] })
    expect(values).toMatchObject({ 'chemistry.B': 0.000125, 'chemistry.Mn': 1.25 })
  })

  it('leaves a limit, a text and an unknown symbol open', () => {
    const { values, open } = analysis({
      Nb: { Actual: { Value: '0.002', Operator: '<' }, Unit: '%' },
      Ti: 'traces',
      Xy: '0.1',
    })
    expect(open).toMatchObject({ 'chemistry.Nb': [0.002], 'chemistry.Ti': [], chemistry: [0.1] })
    expect(values).not.toHaveProperty(['chemistry.Nb'])
  })
})

describe('a certificate after EN 10168', () => {
  it('has one row for each heat', () => {
    const rows = en10168({ Inspection: [{ C00: 'H1' }, { C00: 'H2' }, { C00: 'H1' }] })
    expect(rows.map((row) => valuesOf(row).heatNumber)).toEqual(['H1', 'H2'])
  })

  it('adds tests without a heat to the only heat', () => {
    const tensile = { C12: { Value: 500, Unit: 'MPa' } }
    const rows = en10168({ Inspection: [{ C00: 'H1' }, { C00: 'Tensile test', TensileTest: tensile }] })
    expect(rows.map(valuesOf)).toEqual([expect.objectContaining({ heatNumber: 'H1', 'tests.0.rmMpa': 500 })])
  })

  it('decides a yield strength whose heading names one kind', () => {
    const of = (Property: string) =>
      valuesOf(en10168({ Inspection: { C00: 'H1', TensileTest: { C11: { Property, Value: 360 } } } })[0]!)
    expect(of('Streckgrenze ReH')).toMatchObject({ 'tests.0.reHMpa': 360 })
    expect(of('Rp0,2')).toMatchObject({ 'tests.0.rp02Mpa': 360 })
    expect(of('ReL')).toMatchObject({ 'tests.0.reLMpa': 360 })
    expect(of('Rp1,0')).toMatchObject({ 'tests.0.rawYieldKind': 'Rp1,0', 'tests.0.rawYieldMpa': 360 })
  })

  it('leaves a result open that is no number', () => {
    const impact = { C42: [{ Value: 40 }, { Value: 44 }, { Value: 41 }], C43: { Value: 'about 42' } }
    const [row] = en10168({
      ProductDescription: { B09: { Diameter: 'about 20', Unit: 'mm' } },
      Inspection: {
        C00: 'H1',
        NotchedBarImpactTest: impact,
        TensileTest: { C13: { Property: 'A5', Value: '26 %' } },
      },
    })
    expect(row!.undecided.map(({ field, candidates, text }) => [field, candidates, text])).toEqual([
      ['inspectionDocument', [], undefined],
      ['grade', [], undefined],
      ['thicknessMm', [], 'Diameter about 20 mm'],
      ['tests.0.elongationPercent', [], '26 %'],
      ['tests.1.averageJoule', [], 'about 42'],
    ])
  })

  it('decides a document type that is nothing but the type', () => {
    const of = (A02: string) => en10168({ CommercialTransaction: { A02 } })[0]!
    expect(valuesOf(of('3.1'))).toMatchObject({ inspectionDocument: '3.1' })
    expect(openOf(of('EN 10204:2004 3.1 / 3.2'))).toMatchObject({ inspectionDocument: ['3.1', '3.2'] })
    expect(openOf(of('Werkszeugnis'))).toMatchObject({ inspectionDocument: [] })
  })
})

describe('a Metals passport', () => {
  it('reads Rp0,2 and N/mm², and no property that only looks like Rm', () => {
    const property = (PropertySymbol: string, Value: number) => ({
      PropertySymbol,
      Unit: 'N/mm²',
      Actual: { ResultType: 'numeric', Value },
    })
    const { values } = passport({ MechanicalProperties: [property('Rp0,2', 300), property('Rm-Z', 100)] })
    expect(values).toMatchObject({ 'tests.0.rp02Mpa': 300 })
    expect(values).not.toHaveProperty(['tests.0.rmMpa'])
  })

  it('leaves the thickness of a beam open between web and flange', () => {
    const Shape = { Form: 'Beam', FlangeThickness: 15, WebThickness: 9, Unit: 'mm' }
    const { values, open } = passport({ Product: { Shape } })
    expect(values).toMatchObject({ productForm: 'Section' })
    expect(open).toMatchObject({ thicknessMm: [15, 9] })
  })

  it('leaves a length open that is no number, or in an unknown unit', () => {
    const of = (Shape: object) => passport({ Product: { Shape } }).open
    expect(of({ Thickness: 'about 12', Unit: 'mm' })).toMatchObject({ thicknessMm: [] })
    expect(of({ Thickness: 12, Unit: 'gauge' })).toMatchObject({ thicknessMm: [] })
  })

  it('takes no batch for a heat', () => {
    const { values, open } = passport({ Product: { BatchId: 'H-1' } })
    expect(values).not.toHaveProperty('heatNumber')
    expect(open).toMatchObject({ heatNumber: [] })
  })

  it('leaves the gauge length open when the method has its own', () => {
    const of = (Method: string) =>
      passport({
        MechanicalProperties: [
          { PropertySymbol: 'A', Unit: '%', Method, Actual: { ResultType: 'numeric', Value: 22 } },
        ],
      })
    expect(of('EN ISO 6892-1').values).toMatchObject({ 'tests.0.gaugeLength': '5.65' })
    expect(of('ASTM E8').open).toHaveProperty(['tests.0.gaugeLength'])
  })

  it('leaves ranges, texts and hot tests open', () => {
    const of = (property: object) =>
      passport({ MechanicalProperties: [{ PropertySymbol: 'Rm', Unit: 'MPa', ...property }] })
    const range = { Actual: { ResultType: 'range', Minimum: 480, Maximum: 520 } }
    const text = { Actual: { ResultType: 'string', Value: '> 480' } }
    const hot = { TestConditions: 'at 300 °C', Actual: { ResultType: 'numeric', Value: 400 } }
    for (const property of [range, text, hot]) {
      const { values, open } = of(property)
      expect(Object.keys(values).filter((field) => field.startsWith('tests'))).toEqual([])
      expect(open).toHaveProperty('tests')
    }
  })
})

describe('JSON', () => {
  it('leaves a number open that no double holds', async () => {
    const text = `{
      "Certificate": {
        "ProductDescription": { "B09": { "Form": "Plate", "Thickness": 1e400, "Unit": "mm" } },
        "Inspection": {
          "C00": "H1",
          "ChemicalComposition": { "C71": { "Symbol": "C", "Actual": { "Value": 1e999 } } },
          "TensileTest": { "C12": { "Value": -1e400, "Unit": "MPa" } }
        }
      }
    }`
    const rows: Row[] = []
    for await (const row of readFile({ kind: 'certificates', format: 'json', bytes: Buffer.from(text) }))
      rows.push(row)
    const openAt = (field: string) => rows[0]!.undecided.find((one) => one.field === field)
    expect(openAt('thicknessMm')).toEqual({
      field: 'thicknessMm',
      candidates: [],
      text: 'Infinity',
      at: { pointer: '/Certificate/ProductDescription/B09/Thickness' },
    })
    expect(openAt('chemistry.C')).toMatchObject({ candidates: [], text: 'C Infinity' })
    expect(openAt('tests.0.rmMpa')).toMatchObject({ candidates: [], text: '-Infinity MPa' })
  })

  it('takes the name of a member that every object has for no form of a product', () => {
    const shape = { Form: 'constructor', Thickness: 12, Unit: 'mm' }
    const [row] = en10168({ ProductDescription: { B09: shape }, Inspection: { C00: 'H1' } })
    const ofPassport = passport({ Product: { Shape: shape } })
    for (const { values, open } of [{ values: valuesOf(row!), open: openOf(row!) }, ofPassport]) {
      expect(values).toMatchObject({ thicknessMm: 12 })
      expect({ ...values, ...open }).not.toHaveProperty('productForm')
    }
  })

  it('is refused by name when it is no certificate, or one of another version', () => {
    expect(() => readCertificateJson({ hello: 1 })).toThrow(expect.objectContaining({ code: 'unreadable' }))
    const newer = {
      RefSchemaUrl: 'https://x.test/metals-schemas/v9.0.0/schema.json',
      DigitalMaterialPassport: {},
    }
    expect(() => readCertificateJson(newer)).toThrow(/v9\.0\.0/)
  })

  it('never throws anything else, whatever it holds', () => {
    const keys = [
      'RefSchemaUrl Certificate DigitalMaterialPassport Inspection C00 C02 C03 ChemicalComposition C71 Symbol Actual',
      'Value Unit TensileTest C11 C13 Property NotchedBarImpactTest C42 C43 ProductDescription B02 B09 Product',
      'SteelDesignation ChemicalAnalysis Elements PropertySymbol MechanicalProperties Values Shape Validation Z03',
      '__proto__ Validators Name TestConditions inspections product inspection observation property measurement',
      'value unitCode chemicalComposition c mechanicalProperties yield charpy productDimensions thickness grade',
    ].flatMap((line) => line.split(' '))
    const leaf = fc.oneof(
      fc.string(),
      fc.double(),
      fc.constantFrom('C', 'ReH/Rp0,2', 'A5/A80', '-20 Celsius', 'mm', '0,5', null, true, 'Rm', 'KV'),
    )
    const { document } = fc.letrec((tie) => ({
      document: fc.oneof(
        { maxDepth: 6 },
        leaf,
        fc.array(tie('document'), { maxLength: 4 }),
        fc.dictionary(fc.constantFrom(...keys), tie('document'), { maxKeys: 8 }),
      ),
    }))
    const holder = fc.constantFrom('Certificate', 'DigitalMaterialPassport', 'credentialSubject')
    fc.assert(
      fc.property(holder, document, (name, content) => {
        try {
          const type = name === 'credentialSubject' ? 'MillTestReportCredential' : undefined
          readCertificateJson({ type, [name]: content })
        } catch (error) {
          expect(error).toMatchObject({ code: 'unreadable' })
        }
      }),
    )
  })
})

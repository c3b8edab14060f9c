import { expect, it } from 'vitest'
import { readCertificateJson } from '../../src/imports/certificates/json.ts'

const credential = (subject: object, type = 'MillTestReportCredential') => ({
  '@context': ['https://www.w3.org/2018/credentials/v1', 'https://w3id.org/traceability/v1'],
  type: ['VerifiableCredential', type],
  issuer: { id: 'did:example:mill', name: 'Ostwerk' },
  issuanceDate: '2026-03-31T08:10:00+00:00',
  credentialSubject: subject,
})

const measured = (value: unknown, unitCode: string) => ({ type: ['MeasuredValue'], value, unitCode })

const inspection = (heatNumber: string, mechanicalProperties: object) => ({
  productDimensions: { thickness: measured('20', 'MMT'), width: measured('2.5', 'MTR') },
  meltPractice: 'BOF',
  heatNumber,
  chemicalComposition: { type: ['ChemicalComposition'], c: 0.17, nbCb: 0.021, ce: 0.41 },
  mechanicalProperties,
})

const report = (...inspections: object[]) => ({
  certificateNumber: 'MT-1',
  certification: 'EN 10204.3.1',
  purchaseOrderNumber: 'PO-7',
  productSpecification: { standard: 'EN 10025-2', grade: 'S355J2', heatTreatment: '+N' },
  inspections,
})

function read(document: object) {
  return readCertificateJson(document).map(({ values, undecided }) => ({
    values: Object.fromEntries(values.map(({ field, value }) => [field, value])),
    open: Object.fromEntries(undecided.map(({ field, candidates }) => [field, candidates])),
  }))
}

it('reads the inspections of a mill test report, one row for each heat', () => {
  const [first, second, ...others] = read(
    credential(
      report(
        inspection('H1', { yield: measured('56.5', 'ksi'), tensile: measured(520, 'MPa') }),
        inspection('H2', {}),
        inspection('H1', { tensile: measured('498', 'C56'), elongation: measured('24', 'P1') }),
      ),
    ),
  )
  expect(others).toEqual([])
  expect(first!.values).toEqual({
    ...{ certificateNumber: 'MT-1', issuedOn: '2026-03-31', manufacturer: 'Ostwerk', purchaseOrder: 'PO-7' },
    ...{ inspectionDocument: '3.1', grade: 'S355J2', standard: 'EN 10025-2', deliveryCondition: 'N' },
    ...{ heatNumber: 'H1', steelmakingProcess: 'BOF', thicknessMm: 20, widthMm: 2500 },
    ...{ 'chemistry.C': 0.17, 'chemistry.Nb': 0.021 },
    ...{ 'tests.0.kind': 'tensile', 'tests.0.rmMpa': 520 },
    ...{ 'tests.0.rawYieldKind': 'yield', 'tests.0.rawYieldMpa': 390 },
    ...{ 'tests.1.kind': 'tensile', 'tests.1.rmMpa': 498, 'tests.1.elongationPercent': 24 },
  })
  // The report does not say which yield strength, which gauge length and which carbon equivalent it states.
  expect(first!.open).toEqual({
    statedCev: [0.41],
    ...{ 'tests.0.reHMpa': [390], 'tests.0.reLMpa': [390], 'tests.0.rp02Mpa': [390] },
    'tests.1.gaugeLength': [],
  })
  expect(second!.values).toMatchObject({ heatNumber: 'H2' })
})

it('leaves open whether an impact energy is a mean, and what is in an unknown unit', () => {
  const [row] = read(
    credential(report(inspection('H1', { charpy: measured('41', 'J'), tensile: measured('7', 'B13') }))),
  )
  expect(row!.values).toMatchObject({ 'tests.1.kind': 'impact', 'tests.1.averageJoule': 41 })
  expect(row!.open).toMatchObject({ 'tests.0.rmMpa': [], 'tests.1.valuesJoule': [[41]] })
})

it('reads the observations of a product', () => {
  const observation = (type: string, name: object, value: string, unit: string) => ({
    property: { type: [type], ...name },
    measurement: measured(value, unit),
  })
  const [row] = read(
    credential(
      {
        manufacturer: { name: 'Westwerk' },
        product: {
          ...{ heatNumber: '225606', specification: 'ASTM A615', grade: ['60', '420'] },
          inspection: {
            observation: [
              observation('ChemicalProperty', { name: 'Carbon', formula: 'C' }, '.40', 'P1'),
              observation('ChemicalProperty', { name: 'Nitrogen', formula: 'N' }, '60', '59'),
              observation('MechanicalProperty', { name: 'Tensile Strength' }, '712.3', 'MPA'),
              observation('MechanicalProperty', { name: 'Rockwell Hardness' }, '86', 'HRB'),
            ],
          },
        },
      },
      'MillTestReportCertificate',
    ),
  )
  expect(row!.values).toEqual({
    ...{ issuedOn: '2026-03-31', manufacturer: 'Westwerk', heatNumber: '225606', standard: 'ASTM A615' },
    ...{ 'chemistry.C': 0.4, 'chemistry.N': 0.006 },
    ...{ 'tests.0.kind': 'tensile', 'tests.0.rmMpa': 712.3 },
  })
  expect(row!.open).toEqual({ grade: ['60', '420'], inspectionDocument: [] })
})

it('refuses a credential of another kind', () => {
  expect(() => readCertificateJson(credential(report(), 'BillOfLadingCredential'))).toThrow(/no Certificate/)
})

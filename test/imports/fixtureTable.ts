/**
 * The values that digital certificates from elsewhere propose, written by hand from the files. The files are not part of
 * the project. A value is followed by its JSON Pointer, from the member that holds the certificate.
 */

export interface ExpectedFile {
  readonly file: string
  /** The pointer that all others begin with. */
  readonly root: string
  /** Field: value, pointer. */
  readonly values: Readonly<Record<string, readonly [unknown, string]>>
  /** Field: the values to choose from, pointer. */
  readonly undecided: Readonly<Record<string, readonly [readonly unknown[], string]>>
  /** Field: pointer. */
  readonly faults?: Readonly<Record<string, string>>
}

/** The symbols and values of a text such as "C 0.15, –, Mn 1", each with its number; "–" is a place without an element. */
function counted(text: string, first: number): [string, number, number][] {
  const places = text.split(', ').map((entry, at): [string, number, number] => {
    const [symbol, value] = entry.split(' ')
    return [symbol!, Number(value), first + at]
  })
  return places.filter(([symbol]) => symbol !== '–')
}

/** The values of an analysis whose members are counted from C71, each with its pointer. */
function analysed(place: string, suffix: string, values: string) {
  return Object.fromEntries(
    counted(values, 71).map(([symbol, value, code]) => [
      `chemistry.${symbol}`,
      [value, `${place}/ChemicalComposition/C${code}${suffix}`] as const,
    ]),
  )
}

const mill = '/CommercialTransaction'
const product = '/ProductDescription'

/** The members that the mill "Steel Mill SE" repeats in each of its certificates. */
function ofSteelMill(name: 'CompanyName' | 'Name', thickness: number) {
  return {
    manufacturer: ['Steel Mill SE', `${mill}/A01/${name}`],
    certificateNumber: ['1866645/001', `${mill}/A03`],
    purchaseOrder: ['0334/2019/ZZS', `${mill}/A07`],
    productForm: ['HollowSection', `${product}/B09/Form`],
    thicknessMm: [thickness, `${product}/B09/WallThickness`],
    widthMm: [200, `${product}/B09/Width`],
    issuedOn: ['2018-10-23', '/Validation/Z02'],
  } as const
}

/** A document type in free text, three names of steel, two standards, a heat treatment in words. */
function openOfSteelMill(type: string) {
  return {
    inspectionDocument: [[type], `${mill}/A02`],
    grade: [['S355J2H', 'P355NH/TC1', 'E355+N'], `${product}/B02/SteelDesignation`],
    standard: [['EN 10219-1:2006', 'EN 10297-1:2003-06'], `${product}/B02`],
    deliveryCondition: [['N'], `${product}/B04`],
  } as const
}

const most041 =
  'Si 0.005, Mn 1, P 0.014, S 0.007, Al 0.041, Cr 0.02, Ni 0.009, Mo 0.002, Cu 0.01, V 0.002, Ti 0.001, –, –'
const analysis041 = `C 0.15, ${most041}, N 0.047, B 0.001`

/** Tensile test with a yield strength "ReH/RP0,2" and an elongation "A5/A80". */
function tensile(test: string, place: string) {
  return {
    [`${test}.kind`]: ['tensile', `${place}/TensileTest`],
    [`${test}.rawYieldKind`]: ['Streckgrenze ReH/RP0,2', `${place}/TensileTest/C11/Property`],
    [`${test}.rawYieldMpa`]: [377.12, `${place}/TensileTest/C11/Value`],
    [`${test}.rmMpa`]: [456.18, `${place}/TensileTest/C12/Value`],
    [`${test}.elongationPercent`]: [29.7, `${place}/TensileTest/C13/Value`],
  } as const
}

function openTensile(test: string, place: string) {
  return {
    [`${test}.reHMpa`]: [[377.12], `${place}/TensileTest/C11/Value`],
    [`${test}.rp02Mpa`]: [[377.12], `${place}/TensileTest/C11/Value`],
    [`${test}.gaugeLength`]: [['5.65', '80'], `${place}/TensileTest/C13/Property`],
  } as const
}

/** Impact test on a specimen of 5 mm. */
function impact(test: string, place: string) {
  return {
    [`${test}.kind`]: ['impact', `${place}/NotchedBarImpactTest`],
    [`${test}.specimenWidthMm`]: [5, `${place}/NotchedBarImpactTest/C41/Value`],
    [`${test}.valuesJoule`]: [[71.2, 84.2, 85.2], `${place}/NotchedBarImpactTest/C42`],
    [`${test}.averageJoule`]: [80.3, `${place}/NotchedBarImpactTest/C43/Value`],
  } as const
}

/** Impact test without a width, on whole joules. */
function wholeImpact(test: string, place: string) {
  return {
    [`${test}.kind`]: ['impact', `${place}/NotchedBarImpactTest`],
    [`${test}.direction`]: ['longitudinal', `${place}/NotchedBarImpactTest/C40`],
    [`${test}.valuesJoule`]: [[71, 84, 85], `${place}/NotchedBarImpactTest/C42`],
    [`${test}.averageJoule`]: [80, `${place}/NotchedBarImpactTest/C43/Value`],
  } as const
}

function along(test: string, pointer: string) {
  return { [`${test}.direction`]: ['longitudinal', pointer] } as const
}

function at20Below(test: string, pointer: string) {
  return { [`${test}.temperatureC`]: [-20, pointer] } as const
}

const inspection = '/Inspection'

/** The certificate with 150.5 % carbon, which two files hold. */
function impossibleCarbon(file: string): ExpectedFile {
  return {
    file: `en10168-0.5.0/${file}`,
    root: '/Certificate',
    values: {
      ...ofSteelMill('Name', 6.5),
      heatNumber: ['175508', '/Inspection/C00'],
      inspector: ['John D. Keller', '/Validation/Z03/Name'],
      steelmakingProcess: ['EAF+LF+RH+CC', '/Inspection/ChemicalComposition/C70'],
      ...analysed(inspection, '/Actual/Value', `C 150.5, ${most041}, N 0.047, B 0.001`),
      statedCev: [0.327, '/Inspection/ChemicalComposition/C92/Actual/Value'],
      ...tensile('tests.0', inspection),
      ...along('tests.0', '/Inspection/C02'),
      ...impact('tests.1', inspection),
      ...along('tests.1', '/Inspection/C02'),
      ...at20Below('tests.1', '/Inspection/C03'),
    },
    undecided: { ...openOfSteelMill('3.1'), ...openTensile('tests.0', inspection) },
    faults: { 'chemistry.C': '/Inspection/ChemicalComposition/C71/Actual/Value' },
  }
}

const passport = '/DigitalMaterialPassport'
const chemical = '/ChemicalAnalysis'
const maker = '/TransactionData/Parties/Manufacturer/Name'
const order = '/TransactionData/BusinessTransaction/Order/Id'
const type = '/Validation/CertificateType/Type'
const validator = '/Validation/Validators/0/Name'
const single = '/Actual/Value'

/** The values of the elements, in the order of the list. */
function elements(values: string) {
  return Object.fromEntries(
    counted(values, 0).map(([symbol, value, index]) => [
      symbol === 'CEV' ? 'statedCev' : `chemistry.${symbol}`,
      [value, `${chemical}/Elements/${index}${single}`] as const,
    ]),
  )
}

/** Three specimens of which each property has a list of results, in the order of the specimens. */
function specimens(properties: Readonly<Record<string, readonly [number, readonly number[]]>>) {
  const first = Object.values(properties)[0]![0]
  return Object.fromEntries(
    [0, 1, 2].flatMap((specimen) => [
      [`tests.${specimen}.kind`, ['tensile', `/MechanicalProperties/${first}`] as const],
      ...Object.entries(properties).map(
        ([name, [property, values]]) =>
          [
            `tests.${specimen}.${name}`,
            [values[specimen], `/MechanicalProperties/${property}/Actual/Values/${specimen}/Value`] as const,
          ] as const,
      ),
    ]),
  )
}

/** The gauge length follows from the symbol of the elongation. */
function gauge(length: string, property: number) {
  return Object.fromEntries(
    [0, 1, 2].map((specimen) => [
      `tests.${specimen}.gaugeLength`,
      [length, `/MechanicalProperties/${property}/PropertySymbol`] as const,
    ]),
  )
}

export const expectedFiles: readonly ExpectedFile[] = [
  {
    file: 'en10168-0.4.1/valid_certificate_1.json',
    root: '/Certificate',
    values: {
      ...ofSteelMill('CompanyName', 6.5),
      heatNumber: ['175508', '/Inspection/C00'],
      inspector: ['Mr. Super Inspector', '/Validation/Z03'],
      ...analysed(inspection, '/Actual', analysis041),
      statedCev: [0.327, '/Inspection/ChemicalComposition/C92/Actual'],
      ...tensile('tests.0', inspection),
      ...along('tests.0', '/Inspection/C02'),
      ...impact('tests.1', inspection),
      ...along('tests.1', '/Inspection/C02'),
      ...at20Below('tests.1', '/Inspection/C03'),
    },
    undecided: { ...openOfSteelMill('3.1'), ...openTensile('tests.0', inspection) },
  },
  {
    file: 'en10168-0.4.1/valid_certificate_3.json',
    root: '/Certificate',
    values: {
      ...ofSteelMill('CompanyName', 6),
      heatNumber: ['175508', '/Inspection/C00'],
      inspector: ['Mr. Super Inspector', '/Validation/Z03'],
      declarationOfPerformance: ['0780-CPD-P012', '/Validation/Z04/DoCNumber'],
      ...analysed(inspection, '/Actual', analysis041),
      statedCev: [0.327, '/Inspection/ChemicalComposition/C92/Actual'],
      ...wholeImpact('tests.0', inspection),
    },
    undecided: openOfSteelMill('3.1'),
  },
  {
    file: 'en10168-0.4.1/valid_certificate_5.json',
    root: '/Certificate',
    values: { ...ofSteelMill('CompanyName', 6.5), inspector: ['Mr. Super Inspector', '/Validation/Z03'] },
    undecided: { ...openOfSteelMill('2.2'), heatNumber: [[], ''] },
  },
  {
    file: 'en10168-0.4.1/valid_certificate_7.json',
    root: '/Certificate',
    values: {
      ...ofSteelMill('CompanyName', 6.5),
      inspector: ['Mr. Super Inspector', '/Validation/Z03'],
      declarationOfPerformance: ['0780-CPD-P012', '/Validation/Z04/DoCNumber'],
      steelmakingProcess: ['Y', '/Inspection/0/ChemicalComposition/C70'],
      ...analysed('/Inspection/0', '/Actual', `C 0.15, ${most041}, N 0.0047, B 0.0001`),
      statedCev: [0.3227, '/Inspection/0/ChemicalComposition/C92/Actual'],
      ...tensile('tests.0', '/Inspection/1'),
      ...along('tests.0', '/Inspection/1/C02'),
      ...impact('tests.1', '/Inspection/3'),
      ...along('tests.1', '/Inspection/3/NotchedBarImpactTest/C40'),
      ...at20Below('tests.1', '/Inspection/3/C03'),
    },
    undecided: {
      ...openOfSteelMill('3.1'),
      heatNumber: [[], '/Inspection/0/C00'],
      ...openTensile('tests.0', '/Inspection/1'),
    },
  },
  impossibleCarbon('malformed_logo.json'),
  impossibleCarbon('valid_certificate_1.json'),
  {
    file: 'en10168-0.5.0/valid_certificate_3.json',
    root: '/Certificate',
    values: {
      ...ofSteelMill('Name', 6),
      heatNumber: ['175508', '/Inspection/C00'],
      inspector: ['John D. Keller', '/Validation/Z03/Name'],
      declarationOfPerformance: ['0780-CPD-P012', '/Validation/Z04/DoCNumber'],
      ...analysed(
        inspection,
        '/Actual/Value',
        'C 0.15, Si 0.005, Mn 1, P 0.014, S 0.007, Al 0.041, Cr 0.02, –, –, Cu 0.01, –, –, –, –, N 0.047, B 0.3',
      ),
      statedCev: [0.327, '/Inspection/ChemicalComposition/C92/Actual/Value'],
      ...wholeImpact('tests.0', inspection),
    },
    undecided: {
      ...openOfSteelMill('3.1'),
      'chemistry.Ni': [[0.009], '/Inspection/ChemicalComposition/C78/Actual/Value'],
      'chemistry.Mo': [[0.002], '/Inspection/ChemicalComposition/C79/Actual/Value'],
      'chemistry.V': [[0.002], '/Inspection/ChemicalComposition/C81/Actual/Value'],
      'chemistry.Ti': [[0.001], '/Inspection/ChemicalComposition/C82/Actual/Value'],
    },
  },
  {
    file: 'en10168-0.5.0/valid_certificate_10.json',
    root: '/Certificate',
    values: {
      manufacturer: ['Industrious Werk 1', `${mill}/A01/Name`],
      certificateNumber: ['000000000020', `${mill}/A03`],
      purchaseOrder: ['0000013869', `${mill}/A07`],
      grade: ['BR', `${product}/B02/SteelDesignation/0`],
      productForm: ['Other', `${product}/B09/Form`],
      thicknessMm: [200, `${product}/B09/Thickness`],
      widthMm: [2000, `${product}/B09/Width`],
      issuedOn: ['2026-01-21', '/Validation/Z02'],
      ...analysed(
        '/Inspection/0',
        '/Actual/Value',
        'Al 0.038, B 0.0019, C 0.195, Cr 0.061, Cu 0.023, H 0, Mn 1.178, Mo 0.007, N 0.0031, Nb 0.015, Ni 0.036, P 0.011, S 0.0005, Si 0.314, Ti 0.016, V 0.002',
      ),
      ...tensile('tests.0', '/Inspection/0'),
      ...impact('tests.1', '/Inspection/0'),
      ...along('tests.1', '/Inspection/0/NotchedBarImpactTest/C40'),
    },
    undecided: {
      inspectionDocument: [['3.1'], `${mill}/A02`],
      heatNumber: [[], ''],
      ...openTensile('tests.0', '/Inspection/0'),
    },
  },
  {
    file: 'metals-0.1.1/valid_array_result.json',
    root: passport,
    values: {
      certificateNumber: ['DMP-2024-ARR-001', '/Id'],
      issuedOn: ['2024-12-15', '/IssueDate'],
      manufacturer: ['Advanced Steel Technologies GmbH', maker],
      purchaseOrder: ['PO-2024-7890', order],
      standard: ['EN 10083-1:2006', '/Product/MaterialNorms/0/Standard'],
      productForm: ['Bar', '/Product/Shape/Form'],
      heatNumber: ['H-2024-078', `${chemical}/HeatNumber`],
      analysis: ['ladle', `${chemical}/SampleLocation`],
      ...elements('C 0.45, Mn 0.65, Si 0.25, P 0.015, S 0.008, Cr 0.12, Ni 0.08'),
      inspectionDocument: ['3.1', type],
      inspector: ['Dr. Maria Schmidt', validator],
    },
    undecided: { grade: [[], '/Product/Name'], thicknessMm: [[100], '/Product/Shape/Diameter'] },
  },
  {
    file: 'metals-0.1.1/valid_basic_certificate.json',
    root: passport,
    values: {
      certificateNumber: ['DMP-METAL-001', '/Id'],
      issuedOn: ['2025-05-14', '/IssueDate'],
      manufacturer: ['ACME Metal Works GmbH', maker],
      purchaseOrder: ['PO-78901', order],
      standard: ['EN 10025-2:2019', '/Product/ProductNorms/0/Standard'],
      grade: ['1.0577', '/Product/MaterialDesignations/0/Name/Value'],
      productForm: ['Bar', '/Product/Shape/Form'],
      heatNumber: ['H-10987', `${chemical}/HeatNumber`],
      steelmakingProcess: ['EAF+LF', `${chemical}/MeltingProcess`],
      analysis: ['ladle', `${chemical}/SampleLocation`],
      ...elements('C 0.18, Mn 1.45, Si 0.25, P 0.018, S 0.012, N 0.006, CEV 0.42'),
      ...specimens({
        rmMpa: [0, [508, 510, 512]],
        reHMpa: [1, [378, 380, 382]],
        elongationPercent: [2, [21.5, 22, 22.5]],
      }),
      ...gauge('5.65', 2),
      inspectionDocument: ['3.1', type],
      inspector: ['Johann Weber', validator],
    },
    undecided: { thicknessMm: [[50], '/Product/Shape/Diameter'] },
  },
  {
    file: 'metals-0.1.1/valid_minimal.json',
    root: passport,
    values: {
      certificateNumber: ['DMP-X12345-2024', '/Id'],
      issuedOn: ['2024-04-22', '/IssueDate'],
      manufacturer: ['华强钢铁有限公司', maker],
      purchaseOrder: ['ORD98765', order],
      grade: ['Al 6060 T66', '/Product/MaterialDesignations/0/Name/Value'],
      productForm: ['Bar', '/Product/Shape/Form'],
      thicknessMm: [4, '/Product/Shape/Thickness'],
      widthMm: [40, '/Product/Shape/Width'],
      heatNumber: ['H98765', `${chemical}/HeatNumber`],
      ...elements(
        'Si 0.4502, Fe 0.1625, Cu 0.0005, Mn 0.056, Mg 0.3795, Cr 0.004, Zn 0.005, Ni 0.0051, Pb 0.0012, Ti 0.0148, N 0.02',
      ),
      ...specimens({
        rp02Mpa: [0, [171.2, 172.5, 174]],
        rmMpa: [1, [219.8, 220.3, 221]],
        elongationPercent: [2, [12.5, 12.8, 13.2]],
      }),
      ...gauge('50', 2),
      inspectionDocument: ['3.1', type],
      inspector: ['John Smith', validator],
    },
    undecided: {},
  },
  {
    file: 'metals-0.1.1/valid_multi_row_chemical_analysis.json',
    root: passport,
    values: {
      certificateNumber: ['DMP-TEST-MULTIROW-001', '/Id'],
      issuedOn: ['2025-04-10', '/IssueDate'],
      manufacturer: ['Example Forge Works GmbH', maker],
      purchaseOrder: ['ORD-2025-3312', order],
      grade: ['S355J2 +N', '/Product/MaterialDesignations/0/Name/Value'],
      deliveryCondition: ['N', '/Product/DeliveryCondition/Code'],
      productForm: ['Bar', '/Product/Shape/Form'],
      heatNumber: ['H-2025-7832', `${chemical}/HeatNumber`],
      steelmakingProcess: ['EAF+LF+VD', `${chemical}/MeltingProcess`],
      ...elements(
        'C 0.17, Si 0.28, Mn 1.38, P 0.014, S 0.022, Cr 0.18, Ni 0.14, Mo 0.05, Cu 0.22, B 0.0004, Al 0.028, V 0.012, Sn 0.006, –, –, –, –, N 0.009, Ca 0.0018, Nb 0.015, Co 0.08, W 0.02',
      ),
      'tests.0.kind': ['tensile', '/MechanicalProperties/0'],
      'tests.0.direction': ['longitudinal', '/MechanicalProperties/0/SpecimenSpecification/Orientation'],
      'tests.0.location': ['1/2T', '/MechanicalProperties/0/SpecimenSpecification/Location'],
      'tests.0.rmMpa': [548, '/MechanicalProperties/0/Actual/Value'],
      'tests.0.rawYieldKind': ['Re', '/MechanicalProperties/1/PropertySymbol'],
      'tests.0.rawYieldMpa': [372, '/MechanicalProperties/1/Actual/Value'],
      'tests.0.elongationPercent': [26, '/MechanicalProperties/2/Actual/Value'],
      'tests.0.gaugeLength': ['5.65', '/MechanicalProperties/2/PropertySymbol'],
      'tests.1.kind': ['tensile', '/MechanicalProperties/3'],
      'tests.1.direction': ['transverse', '/MechanicalProperties/3/SpecimenSpecification/Orientation'],
      'tests.1.location': ['1/2T', '/MechanicalProperties/3/SpecimenSpecification/Location'],
      'tests.1.elongationPercent': [20, '/MechanicalProperties/3/Actual/Value'],
      'tests.1.gaugeLength': ['5.65', '/MechanicalProperties/3/PropertySymbol'],
      'tests.2.kind': ['impact', '/MechanicalProperties/5'],
      'tests.2.direction': ['transverse', '/MechanicalProperties/5/SpecimenSpecification/Orientation'],
      'tests.2.location': ['1/2T', '/MechanicalProperties/5/SpecimenSpecification/Location'],
      'tests.2.temperatureC': [-20, '/MechanicalProperties/5/TestConditions'],
      'tests.2.valuesJoule': [[36, 30, 37], '/MechanicalProperties/5/Actual/Values'],
      'tests.2.averageJoule': [34.33, '/MechanicalProperties/5/Actual/Statistics/Average/Value'],
      'tests.3.kind': ['impact', '/MechanicalProperties/6'],
      'tests.3.direction': ['longitudinal', '/MechanicalProperties/6/SpecimenSpecification/Orientation'],
      'tests.3.location': ['1/2T', '/MechanicalProperties/6/SpecimenSpecification/Location'],
      'tests.3.temperatureC': [-20, '/MechanicalProperties/6/TestConditions'],
      'tests.3.valuesJoule': [[62, 65, 58], '/MechanicalProperties/6/Actual/Values'],
      'tests.3.averageJoule': [61.67, '/MechanicalProperties/6/Actual/Statistics/Average/Value'],
      inspectionDocument: ['3.1', type],
      inspector: ['Dr. Maria Fischer', validator],
    },
    undecided: {
      standard: [['EN 10250-1', 'EN 10250-2'], '/Product'],
      thicknessMm: [[350], '/Product/Shape/Diameter'],
      'chemistry.Ti': [[0.004, 0.00021], `${chemical}/Elements/13${single}`],
      'chemistry.Sb': [[0.0012, 0.38], `${chemical}/Elements/14${single}`],
      'tests.0.reHMpa': [[372], '/MechanicalProperties/1/Actual/Value'],
      'tests.0.reLMpa': [[372], '/MechanicalProperties/1/Actual/Value'],
    },
  },
  {
    file: 'metals-0.1.1/valid_result_types.json',
    root: passport,
    values: {
      certificateNumber: ['DMP-METAL-005', '/Id'],
      issuedOn: ['2025-05-17', '/IssueDate'],
      manufacturer: ['ACME Metal Works GmbH', maker],
      purchaseOrder: ['PO-23456', order],
      standard: ['ASTM F136:2022', '/Product/ProductNorms/0/Standard'],
      grade: ['R56401', '/Product/MaterialDesignations/0/Number/Value'],
      productForm: ['Bar', '/Product/Shape/Form'],
      heatNumber: ['T-65432', `${chemical}/HeatNumber`],
      steelmakingProcess: ['VAR', `${chemical}/MeltingProcess`],
      analysis: ['product', `${chemical}/SampleLocation`],
      ...elements('Ti 89.32, Al 6.02, V 3.95, Fe 0.18, O 0.11, C 0.026, N 0.012, H 0.0035'),
      inspectionDocument: ['3.1', type],
      inspector: ['Dr. Markus Weber', validator],
    },
    undecided: { thicknessMm: [[30], '/Product/Shape/Diameter'] },
  },
]

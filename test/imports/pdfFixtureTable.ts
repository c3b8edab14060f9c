/**
 * The values that certificates from elsewhere propose as PDF, written by hand from what the pages show, without the
 * analysis. The files are not part of the project.
 */

interface ExpectedPdf {
  readonly file: string
  readonly values: Readonly<Record<string, unknown>>
  /** Field: the values to choose from. */
  readonly undecided: Readonly<Record<string, readonly unknown[]>>
  /** Values that no steel has. */
  readonly inDoubt?: readonly string[]
}

const steelMill = {
  manufacturer: 'Steel Mill SE',
  certificateNumber: '1866645/001',
  purchaseOrder: '0334/2019/ZZS',
  issuedOn: '2018-10-23',
}

function openOfSteelMill(type: string) {
  return {
    inspectionDocument: [type],
    grade: ['S355J2H', 'P355NH/TC1', 'E355+N'],
    standard: ['EN 10219-1:2006', 'EN 10297-1:2003-06'],
    deliveryCondition: ['N'],
  }
}

/** "Yield or proof strength" in English, or in German and English. The longest heading that is kept has 50 characters. */
function tensile(heading: string) {
  return {
    'tests.0.kind': 'tensile',
    'tests.0.rawYieldKind': heading.slice(0, 50),
    'tests.0.rawYieldMpa': 377.12,
    'tests.0.elongationPercent': 29.7,
  }
}

const openTensile = {
  'tests.0.reHMpa': [377.12],
  'tests.0.rp02Mpa': [377.12],
  'tests.0.gaugeLength': ['5.65', '80'],
}

/** The columns of a passport name the mill below its label, and the customer beside it. */
function passport(name: string, more: Readonly<Record<string, readonly unknown[]>> = {}) {
  return {
    manufacturer: ['Customer', name],
    certificateNumber: [],
    grade: [],
    inspectionDocument: ['3.1'],
    ...more,
  }
}

export const expectedPdfs: readonly ExpectedPdf[] = [
  {
    file: 'en10168-0.4.1/valid_certificate_1.pdf',
    values: {
      ...steelMill,
      heatNumber: '175508',
      inspector: 'Mr. Super Inspector',
      productForm: 'HollowSection',
      widthMm: 200,
      thicknessMm: 6.5,
      ...tensile('Yield or proof strength / Streck- oder Dehngrenze '),
      'mechanical.rmMpa': 456.18,
      'mechanical.kvJoule': 80.3,
      'mechanical.kvTemperatureC': -20,
    },
    undecided: { ...openOfSteelMill('3.1'), ...openTensile },
  },
  {
    file: 'en10168-0.4.1/valid_certificate_3.pdf',
    values: {
      ...steelMill,
      heatNumber: '175508',
      inspector: 'Mr. Super Inspector',
      productForm: 'HollowSection',
      widthMm: 200,
      thicknessMm: 6,
      'mechanical.kvJoule': 80,
    },
    undecided: openOfSteelMill('3.1'),
  },
  {
    // Most labels are in Polish.
    file: 'en10168-0.4.1/valid_certificate_5.pdf',
    values: { ...steelMill, inspector: 'Mr. Super Inspector' },
    undecided: { ...openOfSteelMill('2.2'), heatNumber: [] },
  },
  {
    file: 'en10168-0.4.1/valid_certificate_7.pdf',
    values: {
      ...steelMill,
      inspector: 'Mr. Super Inspector',
      productForm: 'HollowSection',
      widthMm: 200,
      thicknessMm: 6.5,
      steelmakingProcess: 'Y',
      ...tensile('Yield or proof strength Streckgrenze ReH/RP0,2'),
      'mechanical.kvJoule': 80.3,
      'mechanical.kvTemperatureC': -20,
    },
    undecided: { ...openOfSteelMill('3.1'), ...openTensile, heatNumber: [] },
  },
  {
    file: 'en10168-0.5.0/valid_certificate_1.pdf',
    values: {
      ...steelMill,
      heatNumber: '175508',
      inspector: 'John D. Keller',
      widthMm: 200,
      thicknessMm: 6.5,
      steelmakingProcess: 'EAF+LF+RH+CC',
      ...tensile('Streck- oder Dehngrenze / Yield or proof strength '),
      'mechanical.rmMpa': 456.18,
      'mechanical.kvJoule': 80.3,
      'mechanical.kvTemperatureC': -20,
    },
    inDoubt: ['chemistry.C'],
    undecided: { ...openOfSteelMill('3.1'), ...openTensile, productForm: [] },
  },
  {
    file: 'en10168-0.5.0/valid_certificate_3.pdf',
    values: {
      ...steelMill,
      heatNumber: '175508',
      inspector: 'John D. Keller',
      productForm: 'HollowSection',
      widthMm: 200,
      thicknessMm: 6,
      'mechanical.kvJoule': 80,
    },
    inDoubt: ['chemistry.B'],
    undecided: openOfSteelMill('3.1'),
  },
  {
    file: 'en10168-0.5.0/valid_certificate_10.pdf',
    values: {
      manufacturer: 'Industrious Werk 1',
      certificateNumber: '000000000020',
      purchaseOrder: '0000013869',
      grade: 'BR',
      issuedOn: '2026-01-21',
      widthMm: 2000,
      thicknessMm: 200,
      ...tensile('Yield or proof strength Streckgrenze ReH/RP0,2'),
      'mechanical.kvJoule': 80.3,
    },
    undecided: { inspectionDocument: ['3.1'], heatNumber: [], productForm: [], ...openTensile },
  },
  {
    file: 'metals-0.1.1/valid_array_result.pdf',
    values: { heatNumber: 'H-2024-078', issuedOn: '2024-12-15' },
    undecided: passport('Advanced Steel Technologies GmbH'),
  },
  {
    file: 'metals-0.1.1/valid_basic_certificate.pdf',
    values: { heatNumber: 'H-10987', standard: 'EN 10025-2 (2019)' },
    // The dates are those of issue and of the heat treatment; the strengths are single values, a mean and limits.
    undecided: passport('ACME Metal Works GmbH', {
      issuedOn: ['2025-05-14', '2024-11-15'],
      'mechanical.rmMpa': [508, 510, 512, 470, 630],
      'mechanical.reHMpa': [378, 380, 382, 355],
    }),
  },
  {
    file: 'metals-0.1.1/valid_minimal.pdf',
    values: {
      heatNumber: 'H98765',
      issuedOn: '2024-04-22',
      'tests.0.kind': 'tensile',
      'tests.0.gaugeLength': '50',
    },
    undecided: passport('华强钢铁有限公司', {
      'tests.0.rp02Mpa': [171.2, 172.5, 174, 172.56],
      'tests.0.elongationPercent': [12.5, 12.8, 13.2, 12.83],
      'mechanical.rmMpa': [219.8, 220.3, 221, 220.35],
    }),
  },
  {
    file: 'metals-0.1.1/valid_multi_row_chemical_analysis.pdf',
    values: { heatNumber: 'H-2025-7832', 'tests.0.kind': 'tensile', 'tests.0.rawYieldKind': 'Re' },
    undecided: passport('Example Forge Works GmbH', {
      deliveryCondition: ['N'],
      standard: ['EN 10250-1', 'EN 10250-2'],
      issuedOn: ['2025-04-10', '2025-03-15'],
      'mechanical.rmMpa': [548, 440, 630],
      'tests.0.rawYieldMpa': [372, 320],
      'tests.0.reHMpa': [372, 320],
      'tests.0.reLMpa': [372, 320],
      'tests.0.rp02Mpa': [372, 320],
    }),
  },
  {
    file: 'metals-0.1.1/valid_result_types.pdf',
    values: { heatNumber: 'T-65432', issuedOn: '2025-05-17', standard: 'ASTM F136 (2022)' },
    undecided: passport('ACME Metal Works GmbH'),
  },
]

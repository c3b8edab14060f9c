/**
 * The limits of EN 10025-2:2019, EN 10210-1:2006 and EN 10219-1:2006 for the example certificates. They were copied
 * independently of the rule packs, so that a mistake in one copy shows as a difference. Units: thickness in mm,
 * chemistry (ladle analysis) in mass %, strength in MPa. A band [40, x] includes 40 mm.
 */
export type Certificate = {
  certificateNumber: string
  heatNumber: string
  standard?: string | null
  grade: string
  inspectionDocument: '2.1' | '2.2' | '3.1' | '3.2'
  manufacturer?: string | null
  productForm?: string | null
  thicknessMm?: number | null
  chemistry?: Record<string, number> | null
  mechanical?: {
    reHMpa?: number
    rmMpa?: number
    a5Percent?: number
    kvJoule?: number
    kvTemperatureC?: number
  } | null
  issuedOn?: string | null
}

type Bands = readonly (readonly [upToMm: number, limit: number])[]
type Analysis = { C: Bands; Si?: number; Mn: number; P: number; S: number; N?: number; Cu?: number }

function always(limit: number): Bands {
  return [[Number.POSITIVE_INFINITY, limit]]
}
function upTo40(limit: number, above: number): Bands {
  return [[40, limit], ...always(above)]
}

const s355 = { Si: 0.55, Mn: 1.6 }
const ladle10025 = { N: 0.012, Cu: 0.55 }
const carbonS355: Bands = [[30, 0.2], ...always(0.22)]

const analysis: Record<string, Record<string, Analysis>> = {
  'EN 10025-2': {
    S235JR: { C: upTo40(0.17, 0.2), Mn: 1.4, P: 0.035, S: 0.035, ...ladle10025 },
    S235J2: { C: always(0.17), Mn: 1.4, P: 0.025, S: 0.025, Cu: 0.55 },
    S275JR: { C: upTo40(0.21, 0.22), Mn: 1.5, P: 0.035, S: 0.035, ...ladle10025 },
    S275J0: { C: always(0.18), Mn: 1.5, P: 0.03, S: 0.03, ...ladle10025 },
    S275J2: { C: always(0.18), Mn: 1.5, P: 0.025, S: 0.025, Cu: 0.55 },
    S355JR: { C: always(0.24), ...s355, P: 0.035, S: 0.035, ...ladle10025 },
    S355J0: { C: carbonS355, ...s355, P: 0.03, S: 0.03, ...ladle10025 },
    S355J2: { C: carbonS355, ...s355, P: 0.025, S: 0.025, Cu: 0.55 },
    S355K2: { C: carbonS355, ...s355, P: 0.025, S: 0.025, Cu: 0.55 },
    S460J2: { C: carbonS355, Si: 0.55, Mn: 1.7, P: 0.03, S: 0.03, N: 0.025, Cu: 0.55 },
  },
  'EN 10210-1': {
    S235JRH: { C: upTo40(0.17, 0.2), Mn: 1.4, P: 0.04, S: 0.04, N: 0.009 },
    S275J0H: { C: upTo40(0.2, 0.22), Mn: 1.5, P: 0.035, S: 0.035, N: 0.009 },
    S355J0H: { C: always(0.22), ...s355, P: 0.035, S: 0.035, N: 0.009 },
    S355J2H: { C: always(0.22), ...s355, P: 0.03, S: 0.03 },
    S355K2H: { C: always(0.22), ...s355, P: 0.03, S: 0.03 },
  },
  'EN 10219-1': {
    S235JRH: { C: always(0.17), Mn: 1.4, P: 0.04, S: 0.04, N: 0.009 },
    S275J0H: { C: always(0.2), Mn: 1.5, P: 0.035, S: 0.035, N: 0.009 },
    S355J0H: { C: always(0.22), ...s355, P: 0.035, S: 0.035, N: 0.009 },
    S355J2H: { C: always(0.22), ...s355, P: 0.03, S: 0.03 },
  },
}

const carbonEquivalent: Record<string, Record<string, Bands>> = {
  'EN 10025-2': {
    S235: [
      [40, 0.35],
      [150, 0.38],
    ],
    S275: [
      [40, 0.4],
      [150, 0.42],
    ],
    S355: [
      [30, 0.45],
      [150, 0.47],
    ],
    S460: [
      [30, 0.47],
      [150, 0.49],
    ],
  },
  'EN 10210-1': {
    S235: [
      [16, 0.37],
      [40, 0.39],
      [65, 0.41],
    ],
    S275: [
      [16, 0.41],
      [40, 0.43],
      [65, 0.45],
    ],
    S355: [
      [16, 0.45],
      [40, 0.47],
      [65, 0.5],
    ],
  },
  'EN 10219-1': { S235: always(0.35), S275: always(0.4), S355: always(0.45) },
}

/** The same in all three standards for the thicknesses that occur here. */
const yieldStrength: Record<string, Bands> = {
  S235: [
    [16, 235],
    [40, 225],
    [100, 215],
  ],
  S275: [
    [16, 275],
    [40, 265],
    [63, 255],
    [80, 245],
    [100, 235],
  ],
  S355: [
    [16, 355],
    [40, 345],
    [63, 335],
    [80, 325],
    [100, 315],
  ],
  S460: [
    [16, 460],
    [40, 440],
    [63, 420],
    [80, 400],
    [100, 390],
  ],
}

/** From 3 mm (above 3 mm in EN 10210-1) to 100 mm. */
const tensileStrength: Record<string, readonly [number, number]> = {
  S235: [360, 510],
  S275: [410, 560],
  S355: [470, 630],
  S460: [550, 720],
}

const elongation: Record<string, Bands> = {
  S235: [
    [40, 26],
    [63, 25],
    [100, 24],
  ],
  S275: [
    [40, 23],
    [63, 22],
    [100, 21],
  ],
  S355: [
    [40, 22],
    [63, 21],
    [100, 20],
  ],
  S460: always(17),
}
const elongationColdFormed: Record<string, number> = { S235: 24, S275: 20, S355: 20 }

const charpy: Record<string, { joule: number; temperatureC: number }> = {
  JR: { joule: 27, temperatureC: 20 },
  J0: { joule: 27, temperatureC: 0 },
  J2: { joule: 27, temperatureC: -20 },
  K2: { joule: 40, temperatureC: -20 },
}

const cevElements = ['C', 'Mn', 'Cr', 'Mo', 'V', 'Ni', 'Cu'] as const

/** Return every limit that the certificate breaks, by the names that examples/README.md uses. */
export function outsideLimits(certificate: Certificate): string[] {
  return [
    ...chemistryFaults(certificate),
    ...mechanicalFaults(certificate),
    ...(documentIsEnough(certificate) ? [] : ['inspection document']),
  ]
}

/** Return the values that the certificate lacks and that a check needs. */
export function missingFields(certificate: Certificate): string[] {
  const { chemistry, mechanical, thicknessMm } = certificate
  const { quality } = parts(certificate)
  const charpyIsDue = quality !== 'JR' && thicknessMm != null && thicknessMm >= 6
  return [
    ...(['standard', 'manufacturer', 'thicknessMm', 'chemistry', 'mechanical'] as const).filter(
      (field) => certificate[field] == null,
    ),
    ...(chemistry && cevElements.some((element) => chemistry[element] === undefined) ? ['CEV elements'] : []),
    ...(mechanical && charpyIsDue && mechanical.kvJoule === undefined ? ['Charpy'] : []),
  ]
}

function chemistryFaults({ standard, thicknessMm, chemistry, productForm, ...rest }: Certificate): string[] {
  const { name, strength } = parts(rest)
  if (!standard || !chemistry || thicknessMm == null) return []
  const limits = analysis[standard]?.[name]
  if (!limits) throw new Error(`no analysis of ${standard} ${name} is written down`)
  const { C, Si, Mn, P, S, N, Cu } = chemistry
  const long = standard === 'EN 10025-2' && (productForm === 'Section' || productForm === 'Bar') ? 0.005 : 0
  const above = (value: number | undefined, limit: number | undefined) =>
    value !== undefined && limit !== undefined && value > limit + 1e-9

  const faults: [string, boolean][] = [
    ['carbon', above(C, at(limits.C, thicknessMm))],
    ['silicon', above(Si, limits.Si)],
    ['manganese', above(Mn, limits.Mn)],
    ['phosphorus', above(P, limits.P + long)],
    ['sulphur', above(S, limits.S + long)],
    ['nitrogen', above(N, limits.N) && !nitrogenIsBound(chemistry, standard)],
    ['copper', above(Cu, limits.Cu)],
    ['carbon equivalent', above(cev(chemistry), at(carbonEquivalent[standard]![strength]!, thicknessMm))],
  ]
  return faults.filter(([, broken]) => broken).map(([limit]) => limit)
}

function mechanicalFaults({
  standard,
  thicknessMm,
  mechanical,
  productForm,
  ...rest
}: Certificate): string[] {
  const { strength, quality } = parts(rest)
  if (!standard || !mechanical || thicknessMm == null) return []
  const { reHMpa, rmMpa, a5Percent, kvJoule, kvTemperatureC } = mechanical
  const [rmMin, rmMax] = tensileStrength[strength]!
  const impact = charpy[quality]!
  const minElongation =
    standard === 'EN 10219-1'
      ? elongationColdFormed[strength]!
      : at(elongation[strength]!, thicknessMm) - (productForm === 'Plate' ? 2 : 0)

  const faults: [string, boolean][] = [
    ['yield strength', reHMpa !== undefined && reHMpa < at(yieldStrength[strength]!, thicknessMm)],
    ['tensile strength', rmMpa !== undefined && (rmMpa < rmMin || rmMpa > rmMax)],
    ['elongation', a5Percent !== undefined && a5Percent < minElongation],
    ['Charpy energy', kvJoule !== undefined && kvJoule < impact.joule],
    ['Charpy temperature', kvTemperatureC !== undefined && kvTemperatureC > impact.temperatureC],
  ]
  return faults.filter(([, broken]) => broken).map(([limit]) => limit)
}

/** CEV = C + Mn/6 + (Cr + Mo + V)/5 + (Ni + Cu)/15; undefined unless all seven are known. */
export function cev(chemistry: Record<string, number>): number | undefined {
  const [C, Mn, Cr, Mo, V, Ni, Cu] = cevElements.map((element) => chemistry[element] ?? Number.NaN)
  const value = C! + Mn! / 6 + (Cr! + Mo! + V!) / 5 + (Ni! + Cu!) / 15
  return Number.isNaN(value) ? undefined : value
}

function nitrogenIsBound({ Al = 0, N = 0 }: Record<string, number>, standard: string): boolean {
  return Al >= 0.02 && (standard === 'EN 10025-2' || Al / N >= 2)
}

/** By EN 1090-2, 2.2 is enough for S235 and S275 in JR and J0. All other steels need 3.1. */
function documentIsEnough(certificate: Certificate): boolean {
  const { strength, quality } = parts(certificate)
  const mild = (strength === 'S235' || strength === 'S275') && (quality === 'JR' || quality === 'J0')
  return certificate.inspectionDocument >= (mild ? '2.2' : '3.1')
}

function parts({ grade }: Pick<Certificate, 'grade'>) {
  const match = /^((S\d{3})(JR|J0|J2|K2)H?)(?:\+(?:AR|N|M))?$/.exec(grade)
  if (!match) throw new Error(`"${grade}" is not a grade of these standards`)
  return { name: match[1]!, strength: match[2]!, quality: match[3]! }
}

function at(bands: Bands, thicknessMm: number): number {
  const band = bands.find(([upToMm]) => thicknessMm <= upToMm)
  if (!band) throw new Error(`no band for ${thicknessMm} mm`)
  return band[1]
}

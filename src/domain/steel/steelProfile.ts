import { remember } from './remember.ts'

/**
 * Names of sections, as certificates and orders spell them. Europe has several names for one section: DIN 1025 calls
 * IPB what EN 10365 calls HEB, and a square hollow section is SHS, QRO or MSH. A name that is not in the table is not
 * guessed.
 */

/** `open`: rolled beams, channels, angles and tees. `flat`: plates and flats. `bar`: solid rounds, squares, hexagons. */
export type ProfileForm = 'open' | 'hollow' | 'flat' | 'bar'

export interface Profile {
  /** The one spelling of the section: `HEA200`, `L80X80X8`, `SHS100X100X5`. */
  readonly name: string
  readonly series: string
  readonly form: ProfileForm
  /** Nominal sizes in mm, in the order of the name; a beam's last number may be its mass in kg/m. */
  readonly sizes: readonly number[]
  /** Thickness of a plate, a flat or a solid bar, or wall of a hollow section, in mm, where the name states it. */
  readonly thicknessMm?: number
}

interface Series {
  readonly name: string
  readonly form: ProfileForm
  /** All names of the series, without spaces. */
  readonly called: readonly string[]
  /** How many sizes a name has. */
  readonly sizes: readonly number[]
  /** Bring the sizes into the order and number of the one spelling; undefined for sizes that no such section has. */
  readonly order?: (sizes: readonly number[]) => readonly number[] | undefined
  /** The place of the thickness among the ordered sizes. */
  readonly thicknessAt?: number
}

const sortDescending = (sizes: readonly number[]) => sizes.toSorted((a, b) => b - a)
const sortAscending = (sizes: readonly number[]) => sizes.toSorted((a, b) => a - b)

/**
 * Two equal sides may be written once: `L 80x8` is `L 80x80x8`. The sides of unequal ones come in either order. No wall
 * is thicker than a fifth of its side where one side is written, so `RHS 100x50` names no wall.
 */
const sidesAndWall = (sizes: readonly number[]) => {
  const [long = 0, short = 0, wall = 0] = sortDescending(
    sizes.length === 2 ? [Math.max(...sizes), ...sizes] : sizes,
  )
  return wall <= short / (sizes.length === 2 ? 5 : 2) ? [long, short, wall] : undefined
}

const beam = (name: string, ...called: string[]): Series => ({
  name,
  form: 'open',
  called: [name, ...called],
  sizes: [1],
})

/** Britain names a beam by depth, width and mass: `UB 305x165x40`. The mass is always the last number. */
const britishBeam = (name: string, ...called: string[]): Series => ({
  name,
  form: 'open',
  called: [name, ...called],
  sizes: [3],
})

/** A tube has no wall thicker than a third of its diameter: `Rohr 100x50` may be a rectangular one. */
const diameterAndWall = (sizes: readonly number[]) => {
  const [diameter = 0, wall = 0] = sortDescending(sizes)
  return wall <= diameter / 3 ? [diameter, wall] : undefined
}

/** No two parallel flange channels have one depth and width, so the mass is often left out. */
const withoutMass = ([depth = 0, width = 0]: readonly number[]) => [depth, width]

/**
 * Yards call a `PFC 150x75` an RSC, too. The depths of tapered channels (BS 4-1) come from inches, so none but 305 mm is a
 * multiple of 5, as those of a PFC are.
 */
const taperedChannel = (sizes: readonly number[]) => {
  const [depth = 0] = sizes
  return depth % 5 === 0 && depth !== 305 ? undefined : withoutMass(sizes)
}

/** Yards call a universal beam an RSJ, too, so only the sizes of tapered joists (BS 4-1) are read. */
const joists: ReadonlySet<string> = new Set(
  `
  254X203X82 254X114X37 203X152X52 152X127X37 127X114X29 127X114X27 127X76X16 114X114X27
  102X102X23 102X44X7 89X89X19 76X76X15 76X76X13
`
    .trim()
    .split(/\s+/),
)
const taperedJoist = (sizes: readonly number[]) => (joists.has(sizes.join('X')) ? sizes : undefined)

const table: readonly Series[] = [
  beam('IPE'),
  beam('IPEA'),
  beam('IPEAA'),
  beam('IPEO'),
  beam('INP', 'IPN', 'I'),
  beam('HEAA', 'IPBLL'),
  beam('HEA', 'IPBL'),
  beam('HEB', 'IPB'),
  beam('HEM', 'IPBV'),
  { name: 'HD', form: 'open', called: ['HD'], sizes: [2] },
  { name: 'HL', form: 'open', called: ['HL'], sizes: [2] },
  { name: 'HP', form: 'open', called: ['HP'], sizes: [2] },
  britishBeam('UB', 'UKB'),
  britishBeam('UC', 'UKC'),
  { name: 'UBP', form: 'open', called: ['UBP', 'UKBP'], sizes: [3] },
  beam('UPN', 'UNP', 'U'),
  beam('UPE'),
  beam('UAP'),
  { name: 'PFC', form: 'open', called: ['PFC', 'UKPFC'], sizes: [2, 3], order: withoutMass },
  { name: 'RSC', form: 'open', called: ['RSC'], sizes: [2, 3], order: taperedChannel },
  { name: 'RSJ', form: 'open', called: ['RSJ', 'JOIST'], sizes: [3], order: taperedJoist },
  britishBeam('ASB'),
  {
    name: 'L',
    form: 'open',
    called: 'L LNP EQA UEA RSA UKA EA UA WINKEL WINKELSTAHL ANGLE EQUALANGLE UNEQUALANGLE'.split(' '),
    sizes: [2, 3],
    order: sidesAndWall,
    thicknessAt: 2,
  },
  { name: 'T', form: 'open', called: ['T', 'TEE', 'TSTAHL'], sizes: [1] },
  {
    name: 'CHS',
    form: 'hollow',
    called: ['CHS', 'RO', 'ROR', 'ROHR', 'RUNDROHR', 'KHP', 'CFCHS', 'HFCHS'],
    sizes: [2],
    order: diameterAndWall,
    thicknessAt: 1,
  },
  {
    name: 'RHS',
    form: 'hollow',
    called: `
      SHS RHS QRO RRO QHP RHP MSH CFSHS CFRHS HFSHS HFRHS VKR VIERKANTROHR QUADRATROHR
      RECHTECKROHR
    `
      .trim()
      .split(/\s+/),
    sizes: [2, 3],
    order: sidesAndWall,
    thicknessAt: 2,
  },
  {
    name: 'PL',
    form: 'flat',
    called: ['PL', 'BL', 'BLECH', 'GROBBLECH', 'PLATE', 'PLT'],
    sizes: [1, 2],
    order: sortAscending,
    thicknessAt: 0,
  },
  {
    name: 'FL',
    form: 'flat',
    called: 'FL FLA FLT FLAT FLATBAR FLACH FLACHSTAHL FLB BFL BRFL BREITFLACHSTAHL'.split(' '),
    sizes: [2],
    order: sortDescending,
    thicknessAt: 1,
  },
  {
    name: 'RD',
    form: 'bar',
    called: ['RD', 'RND', 'ROUND', 'ROUNDBAR', 'RUND', 'RUNDSTAHL', 'Ø', 'DIA'],
    sizes: [1],
    thicknessAt: 0,
  },
  {
    name: 'SQ',
    form: 'bar',
    called: ['SQ', 'VKT', '4KT', 'QUAD', 'SQUARE', 'SQUAREBAR', 'VIERKANT', 'VIERKANTSTAHL'],
    sizes: [1],
    thicknessAt: 0,
  },
  {
    name: 'HEX',
    form: 'bar',
    called: ['HEX', 'SKT', '6KT', 'HEXBAR', 'SECHSKANT', 'SECHSKANTSTAHL'],
    sizes: [1],
    thicknessAt: 0,
  },
]
const byName = new Map(table.flatMap((series) => series.called.map((called) => [called, series] as const)))

/** `HE 200 A` and `IPE 300 A` carry a letter of the series behind the size. */
const letterBehind = /^(HE|IPE|IPB)(\d+)(AA|A|B|M|O|L|V)$/
const nameThenSizes = /^([4-6]?[A-ZØ]+)([\d.X]+)$/
const sizesThenName = /^([\d.X]+)([A-Z]+)$/

/** Read the name of a section; undefined for a name that is not in the table. Thousands of certificates have only a few. */
export const readProfile = remember(1_000, (text: string) => [text], readName)

function readName(text: string): Profile | undefined {
  const plain = withoutFrills(text)
  const [, named, sized] =
    nameThenSizes.exec(plain.replace(letterBehind, '$1$3$2')) ?? swap(sizesThenName.exec(plain)) ?? []
  const series = byName.get(named ?? '')
  const sizes = sized?.split('X').map(Number) ?? []
  if (!series?.sizes.includes(sizes.length) || !sizes.every((size) => size > 0)) return undefined
  const ordered = series.order ? series.order(sizes) : sizes
  return ordered && profileOf(series, ordered)
}

function swap(match: RegExpExecArray | null): [string, string, string] | undefined {
  return match ? [match[0], match[2]!, match[1]!] : undefined
}

function profileOf({ name, form, thicknessAt }: Series, sizes: readonly number[]): Profile {
  // A square hollow section is a rectangular one with equal sides, and is known by its own name.
  const series = name === 'RHS' && sizes[0] === sizes[1] ? 'SHS' : name
  return {
    name: `${series}${sizes.join('X')}`,
    series,
    form,
    sizes,
    ...(thicknessAt !== undefined && { thicknessMm: sizes[thicknessAt]! }),
  }
}

/** Write the multiplication sign as X and the decimal comma as a point; drop spaces, and hyphens beside letters. */
function withoutFrills(text: string): string {
  return text
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[×*]/g, 'X')
    .replaceAll(/(\d),(\d)/g, '$1.$2')
    .replaceAll(/[⌀∅]/g, 'Ø')
    .replaceAll(/\s/g, '')
    .replaceAll(/(?<=[A-ZØ])[-_.:/]|[-_](?=[A-Z])|MM$/g, '')
}

/** Beams whose last number is the mass in kg/m. */
const namedByMass: ReadonlySet<string> = new Set(['HD', 'HL', 'HP', 'UB', 'UC', 'UBP', 'ASB'])

/**
 * One beam is named `UB 406x178x40` and `UB 406x178x40.3`, because tables give its mass as a whole number or not. The
 * whole number is less than this away from the mass, in kg/m; beams of one depth and width are 3 kg/m apart or more (SCI
 * P363).
 */
const massesApart = 1.5

/**
 * Whether two names are for one section, as far as they say. Plates are cut to any width, and a plate may be as thick
 * and wide as a flat: `isFlatForPlate` tells these apart.
 */
export function isSameSection(one: string, other: string): boolean {
  const [a, b] = [readProfile(one), readProfile(other)]
  if (!a || !b) return profileKeyOf(one) === profileKeyOf(other)
  if (a.form === 'flat' && b.form === 'flat' && (a.series === 'PL' || b.series === 'PL'))
    return a.thicknessMm === b.thicknessMm
  if (a.series !== b.series || !namedByMass.has(a.series)) return a.name === b.name
  return Math.abs(massOf(a) - massOf(b)) < massesApart && nameWithMass(a, 0) === nameWithMass(b, 0)
}

/** Whether one is a flat (EN 10058) and the other a plate (EN 10029), whose edges and tolerances differ. */
export function isFlatForPlate(one: Profile, other: Profile): boolean {
  return one.form === 'flat' && other.form === 'flat' && one.series !== other.series
}

/**
 * Return the key under which a section is found: its one spelling, and the letters and numbers of a name that is not in
 * the table. Plates of one thickness have one key, and a mass counts as a whole number.
 */
export function profileKeyOf(text: string): string {
  const profile = readProfile(text)
  if (!profile) return withoutFrills(text)
  if (profile.series === 'PL') return `PL${profile.thicknessMm}`
  return namedByMass.has(profile.series) ? nameWithMass(profile, Math.round(massOf(profile))) : profile.name
}

/** Return the keys of all sections that may be the same as this one. */
export function profileKeysLike(text: string): readonly string[] {
  const key = profileKeyOf(text)
  const profile = readProfile(text)
  if (profile?.series === 'FL') return [key, `PL${profile.thicknessMm}`]
  if (profile?.series === 'PL')
    return [key, ...(profile.sizes.length > 1 ? [`FL${sortDescending(profile.sizes).join('X')}`] : [])]
  if (!profile || !namedByMass.has(profile.series)) return [key]
  const mass = Math.round(massOf(profile))
  return [-2, -1, 0, 1, 2].map((more) => nameWithMass(profile, mass + more))
}

function massOf({ sizes }: Profile): number {
  return sizes.at(-1)!
}

function nameWithMass({ series, sizes }: Profile, mass: number): string {
  return `${series}${[...sizes.slice(0, -1), mass].join('X')}`
}

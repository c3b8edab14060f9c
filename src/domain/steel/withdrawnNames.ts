import { hasOnlySuffixes } from './steelDesignation.ts'

/**
 * Names of steels from standards that were withdrawn, with the names that took their place: DIN 17100, DIN 17102, DIN 488
 * of 1984, NF A 35-501, BS 4360 and EN 10025 of 1990 and 1993. The names of BS 4360 come from secondary sources. G3 was delivered normalised, and G4 as the mill chose.
 */
const successors = pairsIn(`
  St 33 = S185, St 37 = S235, St 44 = S275, St 52 = S355, St 37-2 = S235JR, USt 37-2 = S235JR,
  RSt 37-2 = S235JR, St 37-3 = S235J2, St 37-3 U = S235J0, St 37-3 N = S235J2+N, St 44-2 = S275JR,
  St 44-3 = S275J2, St 44-3 U = S275J0, St 44-3 N = S275J2+N, St 52-3 = S355J2, St 52-3 U = S355J0,
  St 52-3 N = S355J2+N, S235JRG1 = S235JR, S235JRG2 = S235JR, S235J2G3 = S235J2+N, S235J2G4 = S235J2,
  S275J2G3 = S275J2+N, S275J2G4 = S275J2, S355J2G3 = S355J2+N, S355J2G4 = S355J2,
  S355K2G3 = S355K2+N, S355K2G4 = S355K2, Fe 310-0 = S185, Fe 360 = S235, Fe 430 = S275,
  Fe 510 = S355, Fe 360 B = S235JR, Fe 360 B FU = S235JR, Fe 360 B FN = S235JR, Fe 360 C = S235J0,
  Fe 360 D = S235J2, Fe 360 D1 = S235J2+N, Fe 360 D2 = S235J2, Fe 430 B = S275JR, Fe 430 C = S275J0,
  Fe 430 D = S275J2, Fe 430 D1 = S275J2+N, Fe 430 D2 = S275J2, Fe 510 B = S355JR, Fe 510 C = S355J0,
  Fe 510 D = S355J2, Fe 510 D1 = S355J2+N, Fe 510 D2 = S355J2, Fe 510 DD = S355K2,
  Fe 510 DD1 = S355K2+N, Fe 510 DD2 = S355K2, E 24-2 = S235JR, E 24-3 = S235J0, E 24-4 = S235J2,
  E 28-2 = S275JR, E 28-3 = S275J0, E 28-4 = S275J2, E 36-2 = S355JR, E 36-3 = S355J0,
  E 36-4 = S355J2, StE 285 = S275N, StE 355 = S355N, StE 420 = S420N, StE 460 = S460N,
  TStE 285 = S275NL, TStE 355 = S355NL, TStE 420 = S420NL, TStE 460 = S460NL, 40A = S235,
  40B = S235JR, 40C = S235J0, 40D = S235J2, 43A = S275, 43B = S275JR, 43C = S275J0, 43D = S275J2,
  43EE = S275NL, 50A = S355, 50B = S355JR, 50C = S355J0, 50D = S355J2, 50DD = S355K2, 50E = S355N,
  50EE = S355NL, 55C = S460N, 55EE = S460NL, WR50A = S355J0WP, WR50B = S355J0W, WR50C = S355J2W,
  BSt 500 S = B500B, BSt 500 M = B500A, BSt IV S = B500B, BSt IV M = B500A
`)

/** Numbers of EN 10027-2 that belong to these names alone, or have passed to no other steel. */
const namesByNumber: Readonly<Record<string, string>> = {
  '1.0037': 'St 37-2',
  '1.0036': 'USt 37-2',
  '1.0116': 'S235J2G3',
  '1.0144': 'S275J2G3',
  '1.0570': 'S355J2G3',
  '1.0595': 'S355K2G3',
  '1.0486': 'StE 285',
}

/** A name that was withdrawn. */
export interface Withdrawn {
  readonly name: string
  /** The name of the same steel today. */
  readonly successor: string
}

/** Read a table of names, such as `St 33 = S185, St 37 = S235`. */
function pairsIn(table: string): Readonly<Record<string, string>> {
  const pairs = table.split(',').map((pair) => pair.split('=').map((name) => name.trim()))
  return Object.fromEntries(pairs) as Record<string, string>
}

function keyOf(name: string): string {
  return name.replaceAll(' ', '').toUpperCase()
}

const byKey = new Map(
  Object.entries(successors).map(([name, successor]) => [keyOf(name), { name, successor }]),
)

/** As a certificate writes it before a name of BS 4360, without spaces. */
const ofBs4360 = /^(?:BS4360(?:[:-](?:PART2:)?\d{4})?-?)?(?:GRADE|GR\.?)?(?=(?:WR)?[45]\d)/

/** Read a name without spaces, standard and number, such as `ST52-3+N`: what it was, with the suffixes that follow it. */
export function readWithdrawn(text: string): (Withdrawn & { readonly suffixes: string }) | undefined {
  const bare = text.replace(ofBs4360, '')
  const end = bare.indexOf('+')
  const [name, suffixes] = end < 0 ? [bare, ''] : [bare.slice(0, end), bare.slice(end)]
  const newName = byKey.get(name)
  return newName && hasOnlySuffixes(suffixes) ? { ...newName, suffixes } : undefined
}

export function withdrawnNumber(number: string): Withdrawn | undefined {
  const name = namesByNumber[number]
  return name === undefined ? undefined : byKey.get(keyOf(name))
}

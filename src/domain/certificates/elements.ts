/** The symbols of the periodic table, by atomic number: what a chemical analysis may name. */
export const elementSymbols: readonly string[] = [
  'H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr',
  'Rb Sr Y Zr Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu',
  'Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu Am Cm Bk Cf Es Fm Md No Lr',
  'Rf Db Sg Bh Hs Mt Ds Rg Cn Nh Fl Mc Lv Ts Og',
].flatMap((row) => row.split(' '))

/** The elements that analyses of steel report: a table has a column for each of them. */
export const usualElements: readonly string[] =
  'C Si Mn P S N Al Cu Cr Ni Mo V Nb Ti B Zr W Co Sn As Sb Pb Ca H O'.split(' ')

/** Return the shares of an analysis in the order in which mills print them. */
export function inMillOrder(
  chemistry: Readonly<Record<string, number>>,
): readonly (readonly [symbol: string, percent: number])[] {
  const places = new Map(usualElements.map((symbol, place) => [symbol, place]))
  const place = (symbol: string) => places.get(symbol) ?? places.size
  return Object.entries(chemistry).toSorted(([one], [other]) => place(one) - place(other))
}

const twoDecimals = 'C Si Mn Cu Cr Ni Mo V Nb Ti'.split(' ')
const fourDecimals = ['B', 'Ca']

/** The decimals with which mills state an element, even where the last of them are zeros that a number does not show. */
export function usualDecimals(symbol: string): number {
  if (twoDecimals.includes(symbol)) return 2
  return fourDecimals.includes(symbol) ? 4 : 3
}

export function decimalsOf(value: number): number {
  const [digits, exponent = '0'] = String(value).split('e') as [string, string?]
  return Math.max(0, (digits.split('.')[1] ?? '').length - Number(exponent))
}

/** Write a number with at least these decimals, and never with fewer than it has. */
export function withDecimals(value: number, least: number): string {
  return decimalsOf(value) < least ? value.toFixed(least) : String(value)
}

/** The elements of the carbon equivalent of EN 10025-1, each with what its share is divided by. */
export const partsOfCev = { C: 1, Mn: 6, Cr: 5, Mo: 5, V: 5, Ni: 15, Cu: 15 } as const

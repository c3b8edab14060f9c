/** The steels that the standards define, by the parts of their names and by their numbers. */

/** Impact quality, the letters of a fine-grain steel, or the ductility class of a reinforcing steel. */
export type Quality =
  | Ductility
  | 'JR'
  | 'J0'
  | 'J2'
  | 'K2'
  | 'N'
  | 'NL'
  | 'M'
  | 'ML'
  | 'Q'
  | 'QL'
  | 'QL1'
  | 'MC'
  | 'NC'
/** From the least ductile to the most. */
export const ductilities = ['A', 'B', 'C'] as const
type Ductility = (typeof ductilities)[number]
export type DeliveryCondition = 'AR' | 'N' | 'M' | 'QT'
export type Standard =
  | 'EN 10025-2'
  | 'EN 10025-3'
  | 'EN 10025-4'
  | 'EN 10025-5'
  | 'EN 10025-6'
  | 'EN 10149-2'
  | 'EN 10149-3'
  | 'EN 10210'
  | 'EN 10219'
  | 'EN 10080'
  | 'BS 4449'
  | 'DIN 488'

interface SteelKind {
  readonly standard: Standard | null
  readonly qualities: readonly (Quality | null)[]
  readonly classes: readonly number[]
  /** The letters after the quality, as a set of spellings. */
  readonly letters: readonly string[]
  /** The condition that this kind of steel is always delivered in. */
  readonly delivery: DeliveryCondition | null
}

/** The names that the standards define. A name outside this table, such as S335J2, is a mistake to be asked about. */
export const steelKinds: readonly SteelKind[] = [
  kind('EN 10025-2', [null], [185, 235, 275, 355, 450, 460], ['']),
  kind('EN 10025-2', ['JR', 'J0', 'J2'], [235, 275, 355, 460], ['', 'C']),
  kind('EN 10025-2', ['K2'], [355, 460], ['', 'C']),
  kind('EN 10025-2', ['J0'], [450, 500], ['']),
  kind('EN 10025-3', ['N', 'NL'], [275, 355, 420, 460], [''], 'N'),
  kind('EN 10025-4', ['M', 'ML'], [275, 355, 420, 460, 500], [''], 'M'),
  kind('EN 10025-5', ['J0', 'J2'], [235, 355, 420, 460], ['W']),
  kind('EN 10025-5', ['K2'], [355, 420, 460], ['W']),
  kind('EN 10025-5', ['J0', 'J2'], [355], ['WP']),
  kind('EN 10025-6', ['Q', 'QL'], [460, 500, 550, 620, 690, 890, 960], [''], 'QT'),
  kind('EN 10025-6', ['QL1'], [460, 500, 550, 620, 690, 890], [''], 'QT'),
  kind('EN 10149-2', ['MC'], [315, 355, 420, 460, 500, 550, 600, 650, 700, 900, 960], [''], 'M'),
  kind('EN 10149-3', ['NC'], [260, 315, 355, 420], [''], 'N'),
  kind(null, ['JR'], [235], ['H']),
  kind(null, ['J0', 'J2'], [275, 355], ['H']),
  kind(null, ['K2'], [355], ['H']),
  kind(null, ['N', 'NL'], [275, 355, 420, 460], ['H'], 'N'),
  kind('EN 10219', ['M', 'ML'], [275, 355, 420, 460], ['H'], 'M'),
  kind('EN 10080', ductilities, [500], ['']),
]

/** B500B is a reinforcing steel, S500Q a structural one. */
export function isReinforcing({ quality }: { readonly quality: Quality | null }): boolean {
  return (ductilities as readonly (string | null)[]).includes(quality)
}

/** Return the begin of a name, which tells the use and the strength of the steel, such as S355 and B500. */
export function strengthOf(steel: { readonly yieldClass: number; readonly quality: Quality | null }): string {
  return `${isReinforcing(steel) ? 'B' : 'S'}${steel.yieldClass}`
}

function kind(
  standard: Standard | null,
  qualities: readonly (Quality | null)[],
  classes: readonly number[],
  letters: readonly string[],
  delivery: DeliveryCondition | null = null,
): SteelKind {
  return { standard, qualities, classes, letters, delivery }
}

/** Return the kind of steel that a name stands for; undefined for a name that no standard defines. */
export function kindOf(yieldClass: number, quality: Quality | null, letters: string): SteelKind | undefined {
  return steelKinds.find(
    (kind) =>
      kind.classes.includes(yieldClass) && kind.qualities.includes(quality) && kind.letters.includes(letters),
  )
}

/** Material numbers of EN 10027-2, with the names that the product standards give beside them. */
export const nameByNumber: ReadonlyMap<string, string> = new Map(
  Object.entries({
    S185: '1.0035',
    S235JR: '1.0038',
    S235J0: '1.0114',
    S235J2: '1.0117',
    S275JR: '1.0044',
    S275J0: '1.0143',
    S275J2: '1.0145',
    S355JR: '1.0045',
    S355J0: '1.0553',
    S355J2: '1.0577',
    S355K2: '1.0596',
    S450J0: '1.0590',
    S275N: '1.0490',
    S275NL: '1.0491',
    S355N: '1.0545',
    S355NL: '1.0546',
    S420N: '1.8902',
    S420NL: '1.8912',
    S460N: '1.8901',
    S460NL: '1.8903',
    S275M: '1.8818',
    S275ML: '1.8819',
    S355M: '1.8823',
    S355ML: '1.8834',
    S420M: '1.8825',
    S420ML: '1.8836',
    S460M: '1.8827',
    S460ML: '1.8838',
    S235J0W: '1.8958',
    S235J2W: '1.8961',
    S355J0WP: '1.8945',
    S355J2WP: '1.8946',
    S355J0W: '1.8959',
    S355J2W: '1.8965',
    S355K2W: '1.8967',
    S460Q: '1.8908',
    S460QL: '1.8906',
    S460QL1: '1.8916',
    S500Q: '1.8924',
    S500QL: '1.8909',
    S500QL1: '1.8984',
    S550Q: '1.8904',
    S550QL: '1.8926',
    S550QL1: '1.8986',
    S620Q: '1.8914',
    S620QL: '1.8927',
    S620QL1: '1.8987',
    S690Q: '1.8931',
    S690QL: '1.8928',
    S690QL1: '1.8988',
    S890Q: '1.8940',
    S890QL: '1.8983',
    S890QL1: '1.8925',
    S960Q: '1.8941',
    S960QL: '1.8933',
    S235JRH: '1.0039',
    S275J0H: '1.0149',
    S275J2H: '1.0138',
    S355J0H: '1.0547',
    S355J2H: '1.0576',
    S355K2H: '1.0512',
    S275NH: '1.0493',
    S275NLH: '1.0497',
    S355NH: '1.0539',
    S355NLH: '1.0549',
    S420NH: '1.8750',
    S420NLH: '1.8751',
    S460NH: '1.8953',
    S460NLH: '1.8956',
    S275MH: '1.8843',
    S275MLH: '1.8844',
    S355MH: '1.8845',
    S355MLH: '1.8846',
    S420MH: '1.8847',
    S420MLH: '1.8848',
    S460MH: '1.8849',
    S460MLH: '1.8850',
    B500A: '1.0438',
    B500B: '1.0439',
  }).map(([name, number]) => [number, name]),
)

import { sameValue } from '../kernel/changes.ts'
import { type Steel, throughThickness } from './steelDesignation.ts'
import { ductilities, type Quality } from './steelKinds.ts'

/** Whether a steel that a certificate documents is the steel that a drawing or an order demands. */

type SteelMatch =
  /** It is the demanded steel or a better quality of it. */
  | 'meets'
  /** The steel meets the demand as far as it is known: the certificate does not state the delivery condition. */
  | 'delivery-condition-unstated'
  /** It is good steel of another kind or a higher class: the designer and the welding procedure have a say. */
  | 'substitute'
  | 'differs'

/** From the best match to the worst. */
const matches: readonly SteelMatch[] = ['meets', 'delivery-condition-unstated', 'substitute', 'differs']

/** Return the best match of any offered name with any demanded name. */
export function bestMatch(demanded: readonly Steel[], offered: readonly Steel[]): SteelMatch {
  const matchesFound = wholeNames(demanded).flatMap((demand) =>
    offered.map((offer) => matchOf(demand, offer)),
  )
  return matches.find((match) => matchesFound.includes(match)) ?? 'differs'
}

/** Drop the names that say less about a steel than another name does, such as the number in `S355J2+N / 1.0577`. */
function wholeNames(demanded: readonly Steel[]): readonly Steel[] {
  return demanded.filter((one) => !demanded.some((other) => other !== one && saysMore(other, one)))
}

function saysMore(one: Steel, other: Steel): boolean {
  const completed = {
    ...other,
    delivery: other.delivery ?? one.delivery,
    zQuality: other.zQuality ?? one.zQuality,
    coldForming: other.coldForming || one.coldForming,
  }
  return sameValue(completed, one) && !sameValue(other, one)
}

/** Only what the demand states counts. */
function matchOf(demand: Steel, offer: Steel): SteelMatch {
  if (!sharesLetters(demand, offer) || !sharesHollowStandard(demand, offer) || !hasZQuality(demand, offer))
    return 'differs'
  if (offer.yieldClass < demand.yieldClass || !isAsTough(demand, offer)) return 'differs'
  const sameKind = kindOf(demand) === kindOf(offer)
  if (!sameKind && !isFineGrainForPlain(demand, offer)) return 'differs'
  if (!sameKind || offer.yieldClass > demand.yieldClass)
    return contradicts(demand, offer) ? 'differs' : 'substitute'
  if (demand.delivery === null || isDeliveredAs(demand, offer)) return 'meets'
  return offer.delivery === null ? 'delivery-condition-unstated' : 'differs'
}

/** W and P are another steel. C must be there where it is demanded. H only says that it is a hollow section. */
function sharesLetters(demand: Steel, offer: Steel): boolean {
  return (
    demand.weathering === offer.weathering &&
    demand.phosphorus === offer.phosphorus &&
    (!demand.coldForming || offer.coldForming)
  )
}

/** A hollow section made hot is no hollow section made cold: a demanded standard must be stated. */
function sharesHollowStandard(demand: Steel, offer: Steel): boolean {
  if (!demand.hollow || demand.standard === null) return true
  return offer.standard === demand.standard
}

function hasZQuality(demand: Steel, offer: Steel): boolean {
  if (demand.zQuality === null) return true
  return offer.zQuality !== null && rankOfZ(offer.zQuality) >= rankOfZ(demand.zQuality)
}

function rankOfZ(quality: NonNullable<Steel['zQuality']>): number {
  return throughThickness.indexOf(quality)
}

type Kind =
  | 'reinforcing'
  | 'plain'
  | 'normalised'
  | 'thermomechanical'
  | 'quenched'
  | 'cold-forming M'
  | 'cold-forming N'

const kindOfQuality: Readonly<Record<Quality, Kind>> = {
  JR: 'plain',
  J0: 'plain',
  J2: 'plain',
  K2: 'plain',
  N: 'normalised',
  NL: 'normalised',
  M: 'thermomechanical',
  ML: 'thermomechanical',
  Q: 'quenched',
  QL: 'quenched',
  QL1: 'quenched',
  MC: 'cold-forming M',
  NC: 'cold-forming N',
  A: 'reinforcing',
  B: 'reinforcing',
  C: 'reinforcing',
}

/** The kinds are the parts of EN 10025; the hollow sections of EN 10210 and EN 10219 come in the same kinds. */
function kindOf({ quality }: Steel): Kind {
  return quality === null ? 'plain' : kindOfQuality[quality]
}

/** From the least to the toughest or most ductile, within each kind. */
const toughness: readonly (readonly Quality[])[] = [
  ['JR', 'J0', 'J2', 'K2'],
  ['N', 'NL'],
  ['M', 'ML'],
  ['Q', 'QL', 'QL1'],
  ['MC'],
  ['NC'],
  ductilities,
]

/** N, NL, M and ML have at least 40 J at −20 °C, as K2 has: they are as tough as any plain steel. */
function isAsTough(demand: Steel, offer: Steel): boolean {
  if (demand.quality === null) return true
  if (offer.quality === null) return false
  if (isFineGrainForPlain(demand, offer)) return true
  const scale = toughness.find((scaleOfKind) => scaleOfKind.includes(demand.quality!))!
  return scale.indexOf(offer.quality) >= scale.indexOf(demand.quality)
}

function isFineGrainForPlain(demand: Steel, offer: Steel): boolean {
  const kind = kindOf(offer)
  return kindOf(demand) === 'plain' && (kind === 'normalised' || kind === 'thermomechanical')
}

/** +AR is met by +N too. Another condition needs itself. */
function isDeliveredAs(demand: Steel, offer: Steel): boolean {
  return demand.delivery === offer.delivery || (demand.delivery === 'AR' && offer.delivery === 'N')
}

/** Whether the steel was delivered in another condition than the demanded one. */
function contradicts(demand: Steel, offer: Steel): boolean {
  return demand.delivery !== null && offer.delivery !== null && !isDeliveredAs(demand, offer)
}

import { bestMatch } from './steelDemand.ts'
import { everySteel, type Steel, steelKey } from './steelDesignation.ts'
import { type GradeContext, readGrade, steelGradeVersion } from './steelGrade.ts'
import { profileKeyOf } from './steelProfile.ts'
import { withWholeStandard } from './steelStandards.ts'
import { normalisedGrade } from './steelText.ts'

/**
 * Keys that find the certificates that may suit a demand. They are folded into rows, so that one question does not read
 * the grades of all certificates. A key only leads to a certificate: the verdict decides.
 */

/** Raise it when a grade or a profile gets other keys, so that the rows are built again. */
export const steelSearchVersion = steelGradeVersion * 100 + 1

/** Begins the key of a whole text, and of no steel. A grade with a name that cannot be read is found by its text. */
const textMark = '='

/** Return the keys of a certificate: one for each steel that it names, and one for its profile, which may be empty. */
export function searchKeysOf({
  grade,
  profile,
  ...stated
}: GradeContext & { readonly grade: string; readonly profile?: string | null }): {
  readonly steelKeys: readonly string[]
  readonly profileKey: string
} {
  const { steels, unread } = readGrade(grade, withWholeStandard(stated))
  const text = unread.length > 0 || steels.length === 0 ? [textKey(grade)] : []
  return {
    steelKeys: [...new Set([...steels.map(steelKey), ...text])],
    profileKey: profileKeyOf(profile ?? ''),
  }
}

/** The keys that lead to suitable certificates. */
interface SteelSearch {
  /** The demanded steel itself. */
  readonly exact: readonly string[]
  /** All of them: the demanded steel, better qualities, and substitutes if these are asked for. */
  readonly suitable: readonly string[]
}

export function searchFor(grade: string, stated: GradeContext, withSubstitutes: boolean): SteelSearch {
  const { steels, unread } = readGrade(grade, withWholeStandard(stated))
  // A certificate may have the same text without the standard or condition that contradicts the demand.
  const ofSameText = unread.length > 0 ? readGrade(grade).steels : []
  const exact = [...new Set([...[...steels, ...ofSameText].map(steelKey), textKey(grade)])]
  const wanted = withSubstitutes ? 'substitute' : 'delivery-condition-unstated'
  const others = matchEach(steels).flatMap(({ key, match }) =>
    match === 'meets' || match === 'delivery-condition-unstated' || match === wanted ? [key] : [],
  )
  return { exact, suitable: [...new Set([...exact, ...others])] }
}

function matchEach(demanded: readonly Steel[]) {
  return steelsWithKeys().map(({ steel, key }) => ({ key, match: bestMatch(demanded, [steel]) }))
}

function textKey(grade: string): string {
  return `${textMark}${normalisedGrade(grade)}`
}

let everyKey: readonly { readonly steel: Steel; readonly key: string }[] | undefined

function steelsWithKeys() {
  everyKey ??= everySteel().map((steel) => ({ steel, key: steelKey(steel) }))
  return everyKey
}

import { remember } from '../steel/remember.ts'
import type { Steel } from '../steel/steelDesignation.ts'
import { readGrade } from '../steel/steelGrade.ts'
import { readProfile } from '../steel/steelProfile.ts'
import { isHollowStandard, withWholeStandard } from '../steel/steelStandards.ts'
import { type Sentence, sentence } from './sentence.ts'

/** S185 is the one structural steel that has no quality (EN 10025-2). */
const classWithoutQuality = 185

interface DemandedSteel {
  readonly grade: string | null
  readonly standard: string | null
  readonly profile: string | null
}

/**
 * Name each demand on the steel that a line leaves open. A line is met by any of its names, so the least one counts.
 * Thousands of lines have only a few steels.
 */
export const unstatedOf = remember(
  1_000,
  ({ grade, standard, profile }: DemandedSteel) => [grade, standard, profile],
  unstatedIn,
)

function unstatedIn({ grade: text, standard: stated, profile }: DemandedSteel): readonly Sentence[] {
  if (text === null) return [sentence('demand-grade')]
  const { grade, standard } = withWholeStandard({ grade: text, standard: stated })
  const { steels } = readGrade(grade, { standard })
  return [
    ...(steels.some(lacksQuality) ? [sentence('demand-quality', { grade: text })] : []),
    ...(steels.some(isHotOrCold) ||
    (isHollow(profile) && !steels.some(isOfOneStandard) && !isHollowStandard(standard ?? grade))
      ? [sentence('demand-hot-or-cold')]
      : []),
  ]
}

function lacksQuality({ quality, yieldClass }: Steel): boolean {
  return quality === null && yieldClass !== classWithoutQuality
}

function isOfOneStandard({ hollow, standard }: Steel): boolean {
  return hollow && standard !== null
}

function isHotOrCold({ hollow, standard }: Steel): boolean {
  return hollow && standard === null
}

/** Many lines name the steel of a hollow section without its H. */
function isHollow(profile: string | null): boolean {
  return profile !== null && readProfile(profile)?.form === 'hollow'
}

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

/** Demands that were looked at before: thousands of lines have only a few. */
const knownDemands = new Map<string, readonly Sentence[]>()
const mostKnown = 1_000

/** Name each demand on the steel that a line leaves open. A line is met by any of its names, so the least one counts. */
export function unstatedOf({ grade, standard, profile }: DemandedSteel): readonly Sentence[] {
  if (grade === null) return [sentence('demand-grade')]
  const key = `${grade}\n${standard ?? ''}\n${profile ?? ''}`
  const demand = knownDemands.get(key)
  if (demand) return demand
  const unstated = unstatedIn(grade, standard, profile)
  if (knownDemands.size >= mostKnown) knownDemands.clear()
  knownDemands.set(key, unstated)
  return unstated
}

function unstatedIn(text: string, stated: string | null, profile: string | null): readonly Sentence[] {
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

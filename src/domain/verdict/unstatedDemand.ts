import type { Steel } from '../steel/steelDesignation.ts'
import { readGrade } from '../steel/steelGrade.ts'
import { withWholeStandard } from '../steel/steelStandards.ts'

/** S185 is the one structural steel that has no quality (EN 10025-2). */
const classWithoutQuality = 185

/** Name each demand on the steel that a line leaves open. A line is met by any of its names, so the least one counts. */
export function unstatedOf(line: {
  readonly grade: string | null
  readonly standard: string | null
}): string[] {
  if (line.grade === null) return ['the grade']
  const { grade, standard } = withWholeStandard({ grade: line.grade, standard: line.standard })
  const { steels } = readGrade(grade, { standard })
  return [
    ...(steels.some(lacksQuality) ? [`the quality of ${line.grade}, such as JR or J2`] : []),
    ...(steels.some(isHotOrCold)
      ? ['whether the section is hot finished (EN 10210) or cold formed (EN 10219)']
      : []),
  ]
}

function lacksQuality({ quality, yieldClass }: Steel): boolean {
  return quality === null && yieldClass !== classWithoutQuality
}

function isHotOrCold({ hollow, standard }: Steel): boolean {
  return hollow && standard === null
}

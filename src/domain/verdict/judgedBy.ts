import { steelGradeVersion } from '../steel/steelGrade.ts'

/**
 * The rules of this release by which a verdict is judged. Events that keep findings keep them, too, so that a reader
 * of a later release can tell a changed fact from a changed rule.
 */

/** Raise it when the same facts give other findings. */
const verdictVersion = 1

export interface JudgedBy {
  /** The version of the judgement. */
  readonly verdict: number
  /** The version of the reader of steel names. */
  readonly steelGrades: number
}

export const judgedBy: JudgedBy = { verdict: verdictVersion, steelGrades: steelGradeVersion }

/** "verdict 1, steel grades 1". */
export function judgedByText({ verdict, steelGrades }: JudgedBy): string {
  return `verdict ${verdict}, steel grades ${steelGrades}`
}

import { ApiProblem } from '../api/problem.ts'

/** Return whether a save was refused because somebody else had saved meanwhile. */
export function isConflict(error: Error | null): boolean {
  return error instanceof ApiProblem && error.problem.status === 412
}

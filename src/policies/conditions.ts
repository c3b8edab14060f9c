import { Refusal } from '../domain/kernel/refusal.ts'

/** The conditions of a policy, as operators read them beside its lease, with parked companies, and in `heatmark doctor`. */

/** Codes of refusals that a process of another release may not meet. */
export const newerRelease = 'newer-release-running'
export const notShipped = 'rule-pack-not-shipped'

export function isBeyond(error: unknown): boolean {
  return error instanceof Refusal && (error.code === notShipped || error.code === newerRelease)
}

/** The text begins with the code, if there is one. */
export function conditionText(error: Error): string {
  return error instanceof Refusal ? `${error.code}: ${error.message}` : error.message
}

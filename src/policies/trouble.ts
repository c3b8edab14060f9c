import { Refusal } from '../domain/refusal.ts'

/** The condition that keeps a policy from its work, as the line that operators and `heatmark doctor` read beside its lease. */

/** Codes of what this release cannot go on with, but another that is at work can. */
export const newerRelease = 'newer-release-running'
export const notShipped = 'rule-pack-not-shipped'

export const isBeyond = (error: unknown): boolean =>
  error instanceof Refusal && (error.code === notShipped || error.code === newerRelease)

/** Begins with the code, where there is one. */
export const troubleText = (error: Error): string =>
  error instanceof Refusal ? `${error.code}: ${error.message}` : error.message

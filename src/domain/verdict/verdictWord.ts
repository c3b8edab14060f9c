/** The words for a verdict. Screens, papers and docs use these six, and only "May be cut" is green. */

export const verdictWords = {
  stop: 'Stop',
  mayNotBeCut: 'May not be cut',
  notKnown: 'Not known',
  toBeLookedAt: 'To be looked at',
  mayBeCutOverridden: 'May be cut, overridden',
  mayBeCut: 'May be cut',
} as const

export type VerdictWord = keyof typeof verdictWords

/** The words, the worst one first. */
export const wordsFromWorst = Object.keys(verdictWords) as readonly VerdictWord[]

interface Worded {
  /** undefined while they are not known. */
  readonly findings:
    | readonly { readonly code: string; readonly severity: string; readonly override?: object }[]
    | undefined
  /** Whether the bar has a certificate. Without one, nobody knows its steel. */
  readonly hasCertificate: boolean
  readonly isStarted: boolean
}

/** Return the word for a bar with these findings: the first one in the order of the words that holds. */
export function wordOf({ findings, hasCertificate, isStarted }: Worded): VerdictWord {
  if (findings === undefined) return 'notKnown'
  const blocks = findings.filter(({ severity }) => severity === 'Block')
  if (blocks.some(({ override }) => !override)) return isStarted ? 'stop' : 'mayNotBeCut'
  if (!hasCertificate || findings.some(({ code }) => code === 'not-judged')) return 'notKnown'
  if (findings.some(({ severity }) => severity === 'Flag')) return 'toBeLookedAt'
  return blocks.length > 0 ? 'mayBeCutOverridden' : 'mayBeCut'
}

import type { Evidence } from './ruleBook.ts'

/** The limits that the values of a subject break, taken from the expression of a rule that matched. */

export interface BrokenLimit {
  /** The value by the rule's word for it, such as `certificate.mechanical.reHMpa`. */
  readonly name: string
  readonly value: number
  readonly limit: number
  readonly isTooSmall: boolean
}

/**
 * Return the comparisons in a rule's expression that hold. Each compares a value, or what it is rounded to, with a number
 * or another value. A value that is equal to its limit keeps it, so `<=` and `>=` say when a rule applies.
 */
export function brokenLimits(expression: string, values: Evidence): readonly BrokenLimit[] {
  const numbers = Object.entries(values).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number',
  )
  // If two names begin alike, the expression has the longer one.
  const longestFirst = numbers.toSorted(([one], [other]) => other.length - one.length)
  const limitAt = (text: string): number | undefined => {
    const named = longestFirst.find(([name]) => text.startsWith(name))
    const literal = /^\d+(\.\d+)?/.exec(text)
    return named?.[1] ?? (literal ? Number(literal[0]) : undefined)
  }
  return numbers.flatMap(([name, value]) =>
    [...expression.matchAll(comparisonOf(name))].flatMap((comparison) => {
      const limit = limitAt(expression.slice(comparison.index + comparison[0].length))
      const isTooSmall = comparison[1] === '<'
      const holds = limit !== undefined && (isTooSmall ? value < limit : value > limit)
      return holds ? [{ name, value, limit, isTooSmall }] : []
    }),
  )
}

/** Find a name, or its rounded value, in front of a sign. A text that is only the end of a longer name does not count. */
function comparisonOf(name: string): RegExp {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`(?<![\\w.])(?:rounded\\(${escaped}, [^()]+\\)|${escaped}) ([<>]) `, 'g')
}

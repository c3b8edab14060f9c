import type { Explanation } from '../../api/generated.ts'

/** The limits that values of a subject break, as the rules that matched compare them. */

export interface BrokenLimit {
  /** The value by the rule's word for it, such as `certificate.mechanical.reHMpa`. */
  readonly name: string
  readonly value: number
  readonly limit: number
  readonly isTooSmall: boolean
  readonly clause: string
}

type Judged = Pick<Explanation, 'expression' | 'values' | 'result' | 'clause'>

/** Return the comparisons of a rule's expression that hold. A rule compares a value with a number or another value. */
export function brokenLimits({ expression, values, result, clause }: Judged): readonly BrokenLimit[] {
  if (result !== 'matched') return []
  const numbers = Object.entries(values).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number',
  )
  // Of two names that begin alike, the longer one is the one that the expression has.
  const longestFirst = numbers.toSorted(([one], [other]) => other.length - one.length)
  const limitAt = (text: string): number | undefined => {
    const named = longestFirst.find(([name]) => text.startsWith(name))
    const literal = /^\d+(\.\d+)?/.exec(text)
    return named?.[1] ?? (literal ? Number(literal[0]) : undefined)
  }
  return numbers.flatMap(([name, value]) =>
    [' < ', ' <= ', ' > ', ' >= '].flatMap((sign) => {
      const place = placeOf(expression, `${name}${sign}`)
      const limit = place === undefined ? undefined : limitAt(expression.slice(place))
      const isTooSmall = sign.startsWith(' <')
      const holds = limit !== undefined && (isTooSmall ? value <= limit : value >= limit)
      return holds ? [{ name, value, limit, isTooSmall, clause }] : []
    }),
  )
}

/** Return where the text ends in the expression, if it is not the end of a longer name there. */
function placeOf(expression: string, text: string): number | undefined {
  for (let at = expression.indexOf(text); at !== -1; at = expression.indexOf(text, at + 1))
    if (!/[\w.]/.test(expression[at - 1] ?? ' ')) return at + text.length
  return undefined
}

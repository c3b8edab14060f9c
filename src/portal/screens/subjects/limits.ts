import type { Explanation } from '../../api/generated.ts'

/** The limits that the values of a subject break, taken from the expressions of the rules that matched. */

export interface BrokenLimit {
  /** The value by the rule's word for it, such as `certificate.mechanical.reHMpa`. */
  readonly name: string
  readonly value: number
  readonly limit: number
  readonly isTooSmall: boolean
  readonly clause: string
}

type Judged = Pick<Explanation, 'expression' | 'values' | 'result' | 'clause'>

/** Return the comparisons in a rule's expression that hold. Each compares a value with a number or another value. */
export function brokenLimits({ expression, values, result, clause }: Judged): readonly BrokenLimit[] {
  if (result !== 'matched') return []
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
    [' < ', ' <= ', ' > ', ' >= '].flatMap((sign) => {
      const place = placeOf(expression, `${name}${sign}`)
      const limit = place === undefined ? undefined : limitAt(expression.slice(place))
      const isTooSmall = sign.startsWith(' <')
      const holds = limit !== undefined && (isTooSmall ? value <= limit : value >= limit)
      return holds ? [{ name, value, limit, isTooSmall, clause }] : []
    }),
  )
}

/** Return the place after the text in the expression. A text that is only the end of a longer name does not count. */
function placeOf(expression: string, text: string): number | undefined {
  for (let at = expression.indexOf(text); at !== -1; at = expression.indexOf(text, at + 1))
    if (!/[\w.]/.test(expression[at - 1] ?? ' ')) return at + text.length
  return undefined
}

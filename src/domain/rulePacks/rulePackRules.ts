import { usualDecimals, withDecimals } from '../certificates/elements.ts'
import type { Family } from '../tags/tag.ts'
import type { Language } from '../verdict/findingTexts.ts'
import { numberIn, type Sentence, sentence } from '../verdict/sentence.ts'
import type { Evidence } from './ruleBook.ts'

/** The rules in the document of a rule pack. */

export interface Rule {
  readonly ruleId: string
  readonly family: Family
  /** CEL. If it is true, the rule assigns the tag. */
  readonly when: string
  /** The key of the tag. */
  readonly tag: string
  readonly clause: string
  /** A part in braces is replaced by the value that the rule read: of a field, a definition or a look-up. */
  readonly explanation: string
  /** The rule stands for one rule for each of these, in which each `{name}` is replaced by its value. */
  readonly each?: readonly Readonly<Record<string, string>>[]
}

/** A rule as it is compiled, with its place among the written ones. */
export interface WrittenRule {
  readonly rule: Rule
  readonly index: number
}

/** Return all rules. A rule with `each` is written out. */
export function rulesOf({ rules }: { readonly rules: readonly Rule[] }): readonly WrittenRule[] {
  return rules.flatMap(({ each, ...rule }, index) => {
    const written = each?.map((words) => withWords(rule, words)) ?? [rule]
    return written.map((one) => ({ rule: one, index }))
  })
}

function withWords(rule: Rule, words: Readonly<Record<string, string>>): Rule {
  const replaced = Object.entries(rule).map(([name, text]) => [
    name,
    (text as string).replaceAll(/\{(\w+)\}/g, (all, word) =>
      Object.hasOwn(words, word) ? words[word]! : all,
    ),
  ])
  return Object.fromEntries(replaced)
}

/** A part of an explanation that is replaced by a value that the rule read. */
export const placeholder = /\{([^{}]+)\}/g

/**
 * Return an explanation with the values that the rule read. Shares of an element and carbon equivalents have the decimals
 * with which mills state them: 0.20 %, and not 0.2 %.
 */
export function explanationWith(
  explanation: string,
  read: (name: string) => Evidence[string],
  language: Language = 'en',
): string {
  const inWords = (value: unknown, least: number) =>
    typeof value === 'number' ? numberIn(language, withDecimals(value, least)) : String(value)
  const element = /\{certificate\.chemistry\.(\w+)\}/.exec(explanation)?.[1]
  return explanation.replaceAll(placeholder, (part, name: string, at: number) => {
    const value = read(name)
    if (Array.isArray(value)) return value.map((one) => inWords(one, 0)).join(language === 'de' ? '; ' : ', ')
    const isShare = explanation.startsWith(' %', at + part.length)
    const least = /cev/i.test(name) ? 2 : element !== undefined && isShare ? usualDecimals(element) : 0
    return inWords(value, least)
  })
}

/** Say why a rule was not evaluated. @param missing the fields without a value */
export function explanationWithout(missing: readonly string[]): Sentence {
  if (missing.length === 0) return sentence('rule-failed')
  const named = missing.map((field) => field.replace(/^(?:certificate|order)\./, '')).join(', ')
  return sentence('rule-open', { missing: named, count: missing.length })
}

import { type Rule, rulesOf } from '../domain/rulePacks/rulePackRules.ts'
import sentences from './german.json' with { type: 'json' }

/**
 * The German of the explanations of shipped rules, by their English. A shipped document, which people compare with a
 * standard and whose hash events name, stays in one language.
 */

/** Return the German explanation of each rule, by its id. A sentence without German, as companies write them, stays. */
export function germanExplanations(rules: readonly Rule[]): ReadonlyMap<string, string> {
  const german = rules.map(({ each, ...rule }) => ({
    ...rule,
    explanation: sentencesOf(rule.explanation).map(germanOf).join(' '),
    ...(each && { each: each.map(inGerman) }),
  }))
  return new Map(rulesOf({ rules: german }).map(({ rule }) => [rule.ruleId, rule.explanation]))
}

export function sentencesOf(text: string): readonly string[] {
  return text.split(/(?<=[.?]) (?=[A-Z])/)
}

function inGerman(words: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(words).map(([name, word]) => [name, germanOf(word)]))
}

function germanOf(text: string): string {
  return Object.hasOwn(sentences, text) ? sentences[text as keyof typeof sentences] : text
}

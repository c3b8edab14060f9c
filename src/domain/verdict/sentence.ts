import { findingTexts, type Language } from './findingTexts.ts'

/**
 * A sentence of a finding, or a part of one. It is kept as the name of its text with its values, so that a finding of the
 * past can be told in another language, too.
 */
export interface Sentence {
  readonly text: keyof typeof findingTexts
  /** Numbers are written as the language writes them. */
  readonly values?: Readonly<Record<string, Value>>
}

type Value = string | number | Sentence

export function sentence(text: Sentence['text'], values?: Sentence['values']): Sentence {
  return values ? { text, values } : { text }
}

export function sentenceIn(language: Language, { text, values }: Sentence): string {
  return fillIn(language, findingTexts[text], values)
}

/** Return a text in a language, filled with values. */
export function fillIn(
  language: Language,
  text: Readonly<Record<Language, string>>,
  values: Sentence['values'] = {},
): string {
  return text[language].replaceAll(/\{(\w+)\}/g, (_, name: string) => valueIn(language, values[name]!))
}

/** Tell a finding in a language. A finding of another release may have a text that this one does not know. */
export function findingIn(
  language: Language,
  { message, sentence }: { readonly message: string; readonly sentence: { readonly text: string } },
): string {
  return Object.hasOwn(findingTexts, sentence.text) ? sentenceIn(language, sentence as Sentence) : message
}

/** A sentence beside its English, as answers show it. */
export interface Told {
  readonly message: string
  readonly sentence: Sentence
}

export function told(text: Sentence['text'], values?: Sentence['values']): Told {
  const said = sentence(text, values)
  return { message: inEnglish(said), sentence: said }
}

export function inEnglish(said: Sentence): string {
  return sentenceIn('en', said)
}

function valueIn(language: Language, value: Value): string {
  if (typeof value === 'string') return value
  if (typeof value === 'object') return sentenceIn(language, value)
  return language === 'de' ? String(value).replace('.', ',') : String(value)
}

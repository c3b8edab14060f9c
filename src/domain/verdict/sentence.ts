import { fillText } from '../../lib/fillText.ts'
import { germanDigits } from '../../lib/germanDigits.ts'
import { historyTexts } from '../audit/historyTexts.ts'
import { webhookTexts } from '../company/webhookTexts.ts'
import { ruleTexts } from '../rulePacks/ruleTexts.ts'
import { findingTexts, type Language } from './findingTexts.ts'

const texts = { ...findingTexts, ...historyTexts, ...ruleTexts, ...webhookTexts }

/**
 * A sentence of a finding or a history, or a part of one. It is kept as the name of its text with its values, so that it
 * can be told in another language, too.
 */
export interface Sentence {
  readonly text: keyof typeof texts
  /** Numbers are written as the language writes them. */
  readonly values?: Readonly<Record<string, Value>>
}

export type Value = string | number | Sentence | Sequence | Figures | Phrase

/** Words that each language has, such as the explanation of a rule. */
type Phrase = Readonly<Record<Language, string>>

/** Several numbers with their signs, such as "C 0.17, Mn 1.40", which each language writes in its own way. */
export interface Figures {
  readonly figures: string
}

/** Sentences or parts, one after another. */
export interface Sequence {
  readonly parts: readonly (Sentence | string)[]
  readonly between: string
}

export function sentence(text: Sentence['text'], values?: Sentence['values']): Sentence {
  return values ? { text, values } : { text }
}

/** Return a date as each language writes it. */
export function day(date: string): Phrase {
  return { en: date, de: date.split('-').reverse().join('.') }
}

export function sentenceIn(language: Language, { text, values }: Sentence): string {
  return fillIn(language, texts[text], values)
}

/** Return a text in a language, filled with values. */
export function fillIn(
  language: Language,
  text: Readonly<Record<Language, string>>,
  values: Sentence['values'] = {},
): string {
  return fillText(text[language], (name) => valueIn(language, values[name]!))
}

/** Tell a finding, a gap or an event in a language. One of another release may have a text that this one does not know. */
export function toldIn(
  language: Language,
  { message, sentence }: { readonly message: string; readonly sentence: { readonly text: string } },
): string {
  return isKnown(sentence as Sentence) ? sentenceIn(language, sentence as Sentence) : message
}

/** Tell a word that findings or histories use, such as a status. Any other word stays. */
export function wordIn(language: Language, word: string): string {
  return toldIn(language, { message: word, sentence: { text: word } })
}

/** Return the sentence of a kept finding for a place in another sentence, or its English if another release told it. */
export function knownOr({ message, sentence }: Told): Sentence | string {
  return isKnown(sentence) ? sentence : message
}

/** It may also be of any shape, in JSON of a caller that the service keeps as it is. */
function isKnown({ text, values = {} }: { readonly text?: unknown; readonly values?: unknown }): boolean {
  if (!Object.hasOwn(texts, text as string) || values === null) return false
  return Object.values(values as object).every(isKnownValue)
}

function isKnownValue(value: unknown): boolean {
  if (typeof value !== 'object') return true
  if (value === null) return false
  if ('figures' in value) return typeof value.figures === 'string'
  if ('de' in value) return typeof value.de === 'string' && 'en' in value && typeof value.en === 'string'
  if ('parts' in value) return Array.isArray(value.parts) && value.parts.every(isKnownValue)
  return isKnown(value)
}

/** A sentence beside its English, as answers show it. */
export interface Told {
  readonly message: string
  readonly sentence: Sentence
}

export function tell(text: Sentence['text'], values?: Sentence['values']): Told {
  return inEnglishToo(sentence(text, values))
}

export function inEnglishToo(sentence: Sentence): Told {
  return { message: inEnglish(sentence), sentence: sentence }
}

export function inEnglish(sentence: Sentence): string {
  return sentenceIn('en', sentence)
}

function valueIn(language: Language, value: Value): string {
  if (typeof value === 'string') return value
  if (typeof value === 'object') {
    if ('text' in value) return sentenceIn(language, value)
    if ('figures' in value) return figuresIn(language, value)
    if ('de' in value) return value[language]
    return value.parts.map((part) => valueIn(language, part)).join(value.between)
  }
  return numberIn(language, String(value))
}

/** Write the digits of a number as the language does. */
export function numberIn(language: Language, digits: string): string {
  return language === 'de' ? germanDigits(digits) : digits
}

function figuresIn(language: Language, { figures }: Figures): string {
  return language === 'de' ? figures.replaceAll(', ', '; ').replaceAll(/(?<=\d)\.(?=\d)/g, ',') : figures
}

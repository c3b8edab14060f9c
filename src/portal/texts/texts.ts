import { useSyncExternalStore } from 'react'
import { fillText } from '../../lib/fillText.ts'
import { germanDigits } from '../../lib/germanDigits.ts'
import type * as english from './english.ts'
import type * as german from './german.ts'

/** The language of this browser, and texts, numbers and dates in it. */

export const languages = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof languages
export type TextName = keyof typeof english.texts
export function isText(name: string): name is TextName {
  return Object.hasOwn(loaded[language]!.texts, name)
}

const storedAs = 'heatmark-language'
const files: Readonly<Record<Language, () => Promise<typeof english | typeof german>>> = {
  en: () => import('./english.ts'),
  de: () => import('./german.ts'),
}
const loaded: Partial<Record<Language, typeof english | typeof german>> = {}
const listeners = new Set<() => void>()
let language = firstLanguage()
applyLanguage()

export type Values = Readonly<Record<string, string | number>>

export interface Texts {
  readonly language: Language
  /** Return a text, filled with values. */
  t(name: TextName, values?: Values): string
  /** Say what has happened. */
  problemTitle: typeof german.problemTitle
  /** Say what a problem means and what to do. */
  problemText: typeof german.problemText
  /** @param decimals the least number of decimals */
  number(value: number, decimals?: number): string
  dateTime(value: string): string
  /** Return a time with its seconds. */
  exactTime(value: string): string
  /** A date without a time. */
  date(value: string): string
  /** The day of a time, by the clock of the browser. */
  day(value: string): string
  /** The time of the day. */
  time(value: string): string
}

/** Load the texts of a language. Nothing is drawn before those of the first one are there. */
export async function loadTexts(wanted = language): Promise<void> {
  loaded[wanted] ??= await files[wanted]()
}

export async function setLanguage(chosen: Language): Promise<void> {
  await loadTexts(chosen)
  language = chosen
  localStorage.setItem(storedAs, chosen)
  applyLanguage()
  for (const listener of listeners) listener()
}

/** The language of a text that is made beside a component, which draws again in another language. */
export function currentLanguage(): Language {
  return language
}

export function useTexts(): Texts {
  return textsIn[useSyncExternalStore(subscribe, () => language)]
}

const textsIn: Readonly<Record<Language, Texts>> = { en: textsOf('en'), de: textsOf('de') }

function textsOf(language: Language): Texts {
  // English dates are those of Europe: the day comes before the month.
  const locale = language === 'en' ? 'en-GB' : language
  const numbersWith = (minimumFractionDigits: number) => {
    const isEnglish = language === 'en'
    const options = { minimumFractionDigits, maximumFractionDigits: 4, useGrouping: isEnglish }
    const { format } = new Intl.NumberFormat('en-GB', options)
    return isEnglish ? format : (value: number) => germanDigits(format(value))
  }
  const numbers = numbersWith(0)
  const times = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
  const exactTimes = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' })
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'full' })
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short' })
  return {
    language,
    t: (name, values = {}) => fillText(loaded[language]!.texts[name], (value) => String(values[value] ?? '')),
    problemTitle: (problem) => loaded[language]!.problemTitle(problem),
    problemText: (problem) => loaded[language]!.problemText(problem),
    number: (value, decimals = 0) => (decimals === 0 ? numbers : numbersWith(decimals))(value),
    dateTime: (value) => times.format(new Date(value)),
    exactTime: (value) => exactTimes.format(new Date(value)),
    date: (value) => dates.format(new Date(value)),
    day: (value) => days.format(new Date(value)),
    time: (value) => clock.format(new Date(value)),
  }
}

function firstLanguage(): Language {
  const preferences = [localStorage.getItem(storedAs), ...navigator.languages.map((one) => one.slice(0, 2))]
  return (preferences.find((one) => one !== null && one in languages) as Language | undefined) ?? 'en'
}

function applyLanguage(): void {
  document.documentElement.lang = language
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

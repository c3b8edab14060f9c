import { fillIn, type Sentence } from '../verdict/sentence.ts'

/** The reasons why a value that was read from a document is in doubt, in every language. */

const texts = {
  'out-of-range': {
    en: '{value} was read, and steels have {least} to {most}.',
    de: 'Gelesen wurde {value}, und Stähle haben {least} bis {most}.',
  },
  'whole-share': {
    en: '{value} was read without decimals, so it may be a number of hundredths, of thousandths or of ppm.',
    de: 'Gelesen wurde {value} ohne Nachkommastellen. Es können Hundertstel, Tausendstel oder ppm sein.',
  },
  'yield-above-tensile': {
    en: 'The yield strength {yield} is above the tensile strength {tensile}.',
    de: 'Die Streckgrenze {yield} liegt über der Zugfestigkeit {tensile}.',
  },
  'ratio-differs': {
    en: '{tensile} / {yield} is {found}, and the ratio {stated} is printed.',
    de: '{tensile} / {yield} ist {found}, und gedruckt ist das Verhältnis {stated}.',
  },
  'mass-differs': {
    en: '{mass} was read, and a bar of {diameter} mm has {nominal} kg/m.',
    de: 'Gelesen wurde {mass}, und ein Stab von {diameter} mm hat {nominal} kg/m.',
  },
  'test-differs': {
    en: '{value} was read, and the other tests have about {middle}.',
    de: 'Gelesen wurde {value}, und die anderen Prüfungen haben etwa {middle}.',
  },
  'sum-too-large': {
    en: 'The elements add up to {sum} %, and steels have less than {most} %.',
    de: 'Die Elemente ergeben zusammen {sum} %, und Stähle haben weniger als {most} %.',
  },
  'cev-differs': {
    en: 'The analysis gives a carbon equivalent of {found}, and {stated} is printed.',
    de: 'Die Analyse ergibt ein Kohlenstoffäquivalent von {found}, und gedruckt ist {stated}.',
  },
  'heat-length': {
    en: 'The number has {length} characters, and the other heats have {others}.',
    de: 'Die Nummer hat {length} Zeichen, und die anderen Schmelzen haben {others}.',
  },
  'decimals-differ': {
    en: 'The number has {decimals} decimals, and the others of its column have {others}.',
    de: 'Die Zahl hat {decimals} Nachkommastellen, und die anderen ihrer Spalte haben {others}.',
  },
  uncertain: {
    en: 'It was read with a certainty of {percent} %.',
    de: 'Gelesen wurde mit einer Sicherheit von {percent} %.',
  },
} as const

const advice = {
  en: 'Compare it with the document, and confirm or correct it.',
  de: 'Vergleichen Sie mit dem Dokument, und bestätigen oder korrigieren Sie.',
}

/** A reason, kept as the name of its text with its values. */
export interface Doubt {
  readonly text: keyof typeof texts
  readonly values: Readonly<Record<string, number>>
}

/** Tell a reason and what to do. A reason of another release may have a text that this one does not know. */
export function doubtIn(
  language: keyof typeof advice,
  { text, values }: { text: string; values: Sentence['values'] },
) {
  const doubt = Object.hasOwn(texts, text) ? `${fillIn(language, texts[text as Doubt['text']], values)} ` : ''
  return doubt + advice[language]
}

import { fillText } from '../../lib/fillText.ts'
import { germanDigits } from '../../lib/germanDigits.ts'
import type { Fault as ApiFault } from '../api/generated.ts'

/** The faults of a request as a person reads them beside a field. */

export interface Fault {
  readonly code?: string
  readonly message: string
}

const enter = { en: 'Enter a value.', de: 'Geben Sie einen Wert an.' } as const

const german: Readonly<Record<ApiFault['code'], string>> = {
  'wrong-type': 'Das ist nicht in der erwarteten Form.',
  'wrong-format': 'Das ist nicht in der erwarteten Form.',
  'not-one-of': 'Das ist keiner der möglichen Werte.',
  'out-of-bounds': 'Das ist zu kurz, zu lang, zu klein oder zu groß.',
  'not-storable': 'Der Text enthält Zeichen, die sich nicht speichern lassen.',
  'not-unique': 'Das kommt schon einmal vor.',
  'unknown-record': 'Das gibt es nicht.',
  'deleted-record': 'Das ist gelöscht.',
  'voided-record': 'Dieses Zeugnis ist ungültig.',
  'wrong-status': 'Der Status erlaubt das nicht.',
  'not-public': 'Die Adresse muss öffentlich sein, oder der Betreiber muss ihr Netz erlauben.',
  unchangeable: 'Das lässt sich nicht ändern.',
  required: enter.de,
  'unknown-member': 'Das kennt der Dienst hier nicht.',
  'unknown-parameter': 'Das kennt der Dienst hier nicht.',
  'repeated-parameter': 'Das darf nur einmal vorkommen.',
  'faulty-expression': 'Der Ausdruck der Regel hat einen Fehler.',
  'too-costly': 'Die Regel kann zu viele Schritte brauchen. Vereinfachen Sie sie.',
  'not-the-content': 'Das passt nicht zum Inhalt.',
  unconfirmed: 'Der Wert wurde mit Zweifel gelesen. Bestätigen oder korrigieren Sie ihn.',
}

const bounds =
  /must (?:have|be) (?:(?:a whole number )?from )?(?:at (least|most) )?([\d.,]+)(?: to ([\d.,]+))?(?: (characters|member))?/

/** How a person reads the bounds of a value. */
const within = {
  en: {
    of: { characters: ' characters', member: ' entries' },
    range: 'Enter {n} to {most}{of}.',
    least: 'Enter at least {n}{of}.',
    most: 'Enter at most {n}{of}.',
  },
  de: {
    of: { characters: ' Zeichen', member: ' Einträge' },
    range: 'Geben Sie {n} bis {most}{of} an.',
    least: 'Geben Sie mindestens {n}{of} an.',
    most: 'Geben Sie höchstens {n}{of} an.',
  },
} as const

/** Forms that the service asks for, as a person reads them. */
const forms: readonly (readonly [RegExp, Readonly<Record<'en' | 'de', string>>])[] = [
  [
    /must be a number/,
    {
      en: 'Enter a plain number, such as 12000 or 0.5.',
      de: 'Geben Sie eine eindeutige Zahl an, etwa 12000 oder 0,5.',
    },
  ],
  [
    /must be a date/,
    { en: 'Enter a date, such as 2026-03-31.', de: 'Geben Sie ein Datum an, etwa 2026-03-31.' },
  ],
  [
    /e-mail address/,
    {
      en: 'Enter an e-mail address, such as erika@example.org.',
      de: 'Geben Sie eine E-Mail-Adresse an, etwa erika@example.org.',
    },
  ],
  [
    /body is empty/,
    { en: 'The file is empty. Choose another one.', de: 'Die Datei ist leer. Wählen Sie eine andere.' },
  ],
  [/at least 1 member/, { en: 'Choose at least one.', de: 'Wählen Sie mindestens eines.' }],
  [/must be true or false/, { en: 'Enter true or false.', de: 'Geben Sie true oder false an.' }],
]

/** Say a fault in the language of the person. */
export function faultText({ code = '', message }: Fault, language: 'en' | 'de'): string {
  const form = forms.find(([asked]) => asked.test(message))
  if (form) return form[1][language]
  const [, limit, n = '', most, of] = bounds.exec(message) ?? []
  if (code === 'required' || (limit === 'least' && n === '1')) return enter[language]
  if (code === 'out-of-bounds' && n !== '') {
    const said = within[language]
    const figure = (digits: string) => (language === 'en' ? digits : germanDigits(digits.replaceAll(',', '')))
    const unit = of === undefined ? '' : said.of[of as keyof typeof said.of]
    const text = most === undefined ? said[limit === 'least' ? 'least' : 'most'] : said.range
    return fillText(text, (name) => ({ n: figure(n), most: figure(most ?? ''), of: unit })[name]!)
  }
  if (language === 'de') return german[code as ApiFault['code']] ?? message
  return /^(?:must|is) /.test(message) ? `It ${message}.` : message
}

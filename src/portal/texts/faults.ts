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
  'wrong-status': 'Der Stand erlaubt das nicht.',
  'not-public': 'Die Adresse muss öffentlich sein, oder der Betreiber muss ihr Netz erlauben.',
  unchangeable: 'Das lässt sich nicht ändern.',
  required: enter.de,
  'unknown-member': 'Das kennt der Dienst hier nicht.',
  'unknown-parameter': 'Das kennt der Dienst hier nicht.',
  'repeated-parameter': 'Das darf nur einmal vorkommen.',
  'faulty-expression': 'Der Ausdruck der Regel hat einen Fehler.',
  'too-costly': 'Die Regel kann zu viele Schritte brauchen. Vereinfachen Sie sie.',
  'not-the-content': 'Das passt nicht zum Inhalt.',
  unconfirmed: 'Der Wert wurde mit Zweifel gelesen. Bestätigen oder berichtigen Sie ihn.',
}

/** "must have 10 to 500 characters", "must have at least 1 member". */
const bounds = /must (?:have|be) (?:at (least|most) )?([\d.,]+)(?: to ([\d.,]+))?/

/** Say a fault in the language of the person. */
export function faultText({ code = '', message }: Fault, language: 'en' | 'de'): string {
  const [, limit, least, most] = bounds.exec(message) ?? []
  if (code === 'required' || (limit === 'least' && least === '1')) return enter[language]
  if (language === 'en') return message
  if (code === 'wrong-type' && message.includes('number'))
    return 'Geben Sie eine eindeutige Zahl an, etwa 12000 oder 0,5.'
  if (code !== 'out-of-bounds' || least === undefined) return german[code as ApiFault['code']] ?? message
  if (most !== undefined) return `Erlaubt: ${least} bis ${most}.`
  return limit === 'most' ? `Höchstens ${least}.` : `Mindestens ${least}.`
}

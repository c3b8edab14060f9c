/** The faults of a request as a person reads them beside a field. */

interface Fault {
  readonly code?: string
  readonly message: string
}

const german: Readonly<Record<string, string>> = {
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
  unchangeable: 'Das lässt sich nicht ändern.',
}

/** "must have 10 to 500 characters", "must have at least 1 member". */
const bounds = /must (?:have|be) (?:at (least|most) )?([\d.,]+)(?: to ([\d.,]+))?/

const enter = { en: 'Enter a value.', de: 'Geben Sie einen Wert an.' } as const

/** Say a fault in the language of the person. */
export function faultText({ code = '', message }: Fault, language: 'en' | 'de'): string {
  const [, limit, least, most] = bounds.exec(message) ?? []
  if (code === 'required' || (limit === 'least' && least === '1')) return enter[language]
  if (language === 'en') return message
  if (code !== 'out-of-bounds' || least === undefined) return german[code] ?? message
  if (most !== undefined) return `Erlaubt: ${least} bis ${most}.`
  return limit === 'most' ? `Höchstens ${least}.` : `Mindestens ${least}.`
}

/**
 * Letters of other scripts that look like a Latin letter or a digit, in upper case, as the confusables of UTS #39 list
 * them. Below each alphabet are the characters that it looks like. Look-alikes within Latin, such as O and 0, are not
 * among them: they are different numbers.
 */
const alphabets: Readonly<Record<string, readonly [letters: string, latin: string]>> = {
  Cyrillic: ['АВСԀЕԌҺНІЈКӀМОРԚЅТѴԜѠХУҮЗӠҼ', 'ABCDEGHHIJKIMOPQSTVWWXYY33E'],
  Greek: ['ΑΒΕϜΗΙͿΚΜϺΝΟΡΤΧΥΖ', 'ABEFHIJKMMNOPTXYZ'],
  Armenian: ['ՔՑՀՈՌՕԳԶՏՍԱ', 'FGHNNOQQSUW'],
}

const latinOf = new Map(
  Object.values(alphabets).flatMap(([letters, latin]) =>
    [...letters].map((letter, index): [string, string] => [letter, latin[index]!]),
  ),
)

const foreign = new RegExp(`[${[...latinOf.keys()].join('')}]`, 'gu')

/** Small Greek letters that look like Latin ones. The others are symbols that people write beside Latin letters. */
const lowerGreek = 'αινορυ'

/** Put the Latin letter or digit in the place of each letter that looks like it. @param text in upper case */
export function skeletonOf(text: string): string {
  return text.replaceAll(foreign, (letter) => latinOf.get(letter)!)
}

const scripts = ['Latin', ...Object.keys(alphabets)].map(
  (name) => [name, new RegExp(`\\p{Script=${name}}`, 'u')] as const,
)

/**
 * Return the names of the scripts that look alike and stand in one word. Greek letters that look like no Latin one may
 * stand beside Latin ones, as in µm and kΩ, and so may all letters of scripts that look like none of these.
 */
function mixedScripts(text: string): readonly string[] {
  if (/^[\x20-\x7e]*$/.test(text)) return []
  for (const word of text.normalize('NFKC').match(/[\p{L}\p{M}\p{N}]+/gu) ?? []) {
    const judged = scripts.find(([name, latin]) => name === 'Latin' && latin.test(word))
      ? word.replaceAll(/\p{Script=Greek}/gu, (letter) =>
          latinOf.has(letter) || lowerGreek.includes(letter) ? letter : '',
        )
      : word
    const scriptsUsed = scripts.filter(([, script]) => script.test(judged)).map(([name]) => name)
    if (scriptsUsed.length > 1) return scriptsUsed
  }
  return []
}

/** The scripts in common everyday use (UAX #31, Recommended Scripts). */
const everyday = `
  Arabic Armenian Bengali Bopomofo Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Hangul
  Han Hebrew Hiragana Kannada Katakana Khmer Lao Latin Malayalam Myanmar Oriya Sinhala Tamil Telugu Thaana
  Thai Tibetan Common Inherited
`
  .trim()
  .split(/\s+/)

/** Many letters of other scripts, such as ᕼ, Ꮋ, ꓧ and 𐐄, are drawn as Latin ones. */
const rareLetter = new RegExp(
  `[\\p{L}--[${everyday.map((script) => `\\p{Script=${script}}`).join('')}]]`,
  'v',
)

/** Digits of other scripts may look like another digit, or like a letter. */
const otherDigit = /[\p{Nd}--[0-9]]/v

/**
 * Control characters, those that may have no width (Unicode calls them default ignorable), such as U+200B, U+3164 and
 * the soft hyphen, and the Braille pattern without dots.
 */
const unseen = /[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/u

/** Return the code point of the first unseen character, such as `U+200B`. */
function firstUnseen(text: string): string | undefined {
  const [hidden] = unseen.exec(text) ?? []
  return hidden && `U+${hidden.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
}

/** Say why people could take this number or name for another one, if they could. */
export function faultOfLook(text: string): string | undefined {
  const unseen = firstUnseen(text)
  if (unseen) return `must not contain ${unseen}, a character that nobody sees: type the text anew`
  const [letter] = rareLetter.exec(text) ?? []
  if (letter)
    return `must not contain ${letter}, a letter of a script in which nobody writes numbers or names`
  const [digit] = otherDigit.exec(text.normalize('NFKC')) ?? []
  if (digit) return `must not contain the digit ${digit}: use 0 to 9`
  const scripts = mixedScripts(text)
  if (scripts.length > 0)
    return `must not mix ${scripts.join(' and ')} letters in one word, because they look alike: type the text anew`
}

import { editDistance } from '../../lib/editDistance.ts'
import { isUnit } from '../units.ts'

/** Headings as a reader of letters leaves them: `slrength`, `Kg'm`, `AI`. A text layer has none of these faults. */

const vocabulary = `
  analysis area bend carbon cast charge chargen charpy cross dehnung diameter elongation energy equivalent
  heat impact kerbschlagarbeit length melt metre nummer number point proof ratio rebend reduction schmelze
  schmelzen sect streckgrenze strength stress temperature tensile test thickness treatment ultimate value
  weight width yield zugfestigkeit
`
  .trim()
  .split(/\s+/)
const words = new Set(vocabulary)

/** Shorter words are too easily mistaken for each other. A longer word may have two wrong letters. */
const shortest = 4
const long = 8

const signs: readonly (readonly [RegExp, string])[] = [
  [/^k\w\W?m$/i, 'kg/m'],
  [/^N\W?mm[2²?zZ]?$/, 'N/mm2'],
  [/^Rm?[./]?R[eE][HL]?$/, 'Rm/Re'],
  [/^C[eE][gq9]$/, 'Ceq'],
  [/^Ag[tilI1]$/, 'Agt'],
  [/^A[I1|]$/, 'Al'],
  [/^[5s][iI1l]$/, 'Si'],
  [/^[Nn][I1l]$/, 'Ni'],
]

/** Signs at the edges of a word that are specks of dirt, as in `Si-` and `.N`. */
const specks = /^[^\p{L}\d%(]+|[^\p{L}\d%)²]+$/gu

/** Return what a heading may stand for, the likeliest first. The last one lacks the words that nothing explains. */
export function likelyHeadings(heading: string): readonly string[] {
  const words = heading.split(' ').map((word) => likelyWord(word.replaceAll(specks, '')))
  return [words.join(' '), [...new Set(words.filter(isExplained))].join(' ')]
}

function likelyWord(word: string): string {
  const sign = signs.find(([pattern]) => pattern.test(word))
  if (sign) return sign[1]
  // Small and large letters of one shape look alike, as in `si` and `p`.
  if (/^\p{L}\p{Ll}?$/u.test(word)) return word[0]!.toUpperCase() + word.slice(1)
  const letters = lettersOf(word)
  if (letters.length < shortest || words.has(letters)) return word
  const most = letters.length >= long ? 2 : 1
  const near = vocabulary.filter((one) => editDistance(one, letters) <= most)
  return near.length === 1 ? near[0]! : word
}

function isExplained(word: string): boolean {
  return lettersOf(word).length < shortest || words.has(lettersOf(word)) || isUnit(word)
}

function lettersOf(word: string): string {
  return word.toLowerCase().replaceAll(/[^\p{L}\d]/gu, '')
}

import { normalise } from '../../domain/kernel/spellings.ts'
import type { TextParameter, WordsParameter } from './reading/filters.ts'

/** Texts that are found however they are spelled. */

/** The parameter of an identifying number. */
export const numberParameter: TextParameter = {
  kind: 'text',
  most: 50,
  read: normalise,
  otherwise: 'must not be only white space',
}

/** The parameter of a search for words. */
export const wordsParameter: WordsParameter = { kind: 'words', most: 100, mostWords: 10, read: wordsOf }

/** The characters of a word that are kept and compared. */
export const wordLength = 50

/** Return the words of these texts, each once. An index cannot hold the longest words whole, so they are cut. */
export function wordsOf(...texts: readonly (string | null)[]): string[] {
  const words = texts.flatMap((text) => (text === null ? [] : normalise(text).split(/[\s\-/.]+/u)))
  const cut = words.filter((word) => word !== '').map((word) => [...word].slice(0, wordLength).join(''))
  return [...new Set(cut)]
}

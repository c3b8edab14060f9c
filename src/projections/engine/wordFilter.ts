import type { Filter, FilterSql } from './reading/filters.ts'
import { wordLength, wordsOf, wordsParameter } from './spelling.ts'

/** The words by which a record is found, in a column `words` of its row. */

/** An index of words has no column of the company, so each word begins with a part of its id. */
const beginning = (companyId: string) => companyId.slice(0, 8)

/** The words of these texts, as the column holds them. A number is one word, too: people write SO2601 for SO-2601. */
export function storedWords(companyId: string, ...texts: readonly (string | null)[]): string {
  const numbers = texts.filter((text) => text !== null && /\d/.test(text))
  const joined = numbers.flatMap((text) => joinedWord(wordsOf(text)) ?? [])
  return [...new Set([...wordsOf(...texts), ...joined])].map((word) => beginning(companyId) + word).join(' ')
}

/** Return words as one; undefined if they are less than two. */
export function joinedWord(words: readonly string[]): string | undefined {
  return words.length < 2 ? undefined : [...words.join('')].slice(0, wordLength).join('')
}

const wordsIn = (column: string) => `array_to_tsvector(string_to_array(${column}, ' '))`

export const wordIndex = `USING gin (${wordsIn('words')})`

/** The filter `q`: every word of the request is the start of a word of the record. */
export function wordFilter(description: string): Filter<readonly string[]> {
  return {
    parameter: wordsParameter,
    description: wordsDescription(description),
    matches: (sql, starts) => haveWords(sql, sql.row, starts),
  }
}

/** Describe a filter by words. */
export function wordsDescription(description: string): string {
  return `The start of a word in ${description}, in any spelling. White space, -, / and . separate words. Of several words, each must be found, or all as one word.`
}

/** SQL: whether the words of the row with this alias begin with each of these texts. */
export function haveWords(
  { companyId, bind }: Pick<FilterSql, 'companyId' | 'bind'>,
  row: string,
  starts: readonly string[],
): string {
  const lexeme = (start: string) => `${quote(beginning(companyId) + start)}:*`
  const joined = joinedWord(starts)
  const query = [starts.map(lexeme).join(' & '), ...(joined === undefined ? [] : [lexeme(joined)])].join(
    ' | ',
  )
  return `${wordsIn(`${row}.words`)} @@ ${bind(query)}::tsquery`
}

function quote(lexeme: string): string {
  return `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}

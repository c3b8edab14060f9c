import type { Filter } from './reading/filters.ts'
import { wordsOf, wordsParameter } from './spelling.ts'

/** The words by which a record is found, in a column `words` of its row. */

/** An index of words has no column of the company, so each word begins with a part of its id. */
const beginning = (companyId: string) => companyId.slice(0, 8)

/** The words of these texts, as the column holds them. */
export function storedWords(companyId: string, ...texts: readonly (string | null)[]): string {
  return wordsOf(...texts)
    .map((word) => beginning(companyId) + word)
    .join(' ')
}

const wordsIn = (column: string) => `array_to_tsvector(string_to_array(${column}, ' '))`

export const wordIndex = `USING gin (${wordsIn('words')})`

/** The filter `q`: every word of the request is the start of a word of the record. */
export function wordFilter(description: string): Filter<readonly string[]> {
  return {
    parameter: wordsParameter,
    description: `The start of a word in ${description}, in any spelling. White space, -, / and . separate words. Of several words, each must be found.`,
    matches: ({ companyId, row, bind }, starts) => {
      const query = starts.map((start) => `${quoted(beginning(companyId) + start)}:*`).join(' & ')
      return `${wordsIn(`${row}.words`)} @@ ${bind(query)}::tsquery`
    },
  }
}

function quoted(lexeme: string): string {
  return `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}

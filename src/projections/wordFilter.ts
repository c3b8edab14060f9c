import { exists, type Filter, type FilterSql } from './reading/filters.ts'
import type { Reading } from './reading/reader.ts'
import { wordLength, wordsParameter } from './spelling.ts'

/**
 * The filter `q`: every word of the request is the start of a word of the record. `wordRows` names a table with a row for
 * each word of a record and the columns of the list's order; `id` is the column of the record.
 */
export function wordFilter(
  id: string,
  wordRows: (reading: Reading) => string,
  description: string,
): Filter<string> {
  const begins = ({ bind }: FilterSql, start: string) =>
    `s.word >= ${bind(start)} AND s.word <= ${bind(start + lastCharacter.repeat(wordLength))}`
  return {
    parameter: wordsParameter,
    description: `The start of a word in ${description}, in any spelling. White space, -, / and . separate words. Of several words, each must be found.`,
    needsKeyAlone: true,
    matches: (sql, start) =>
      exists(`${wordRows(sql.reading)} s`, `s.${id} = ${sql.row}.${id} AND ${begins(sql, start)}`),
    entries: (sql, start) => [
      { kind: 'range', column: 'word', from: `${wordRows(sql.reading)} s`, where: begins(sql, start) },
    ],
  }
}

const lastCharacter = '\u{10FFFF}'

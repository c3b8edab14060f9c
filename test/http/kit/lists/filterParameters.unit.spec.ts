import { expect, it } from 'vitest'
import { z } from 'zod'
import { filterParameters } from '../../../../src/http/kit/lists/filterParameters.ts'
import type { Filter } from '../../../../src/projections/engine/reading/filters.ts'
import { wordsParameter } from '../../../../src/projections/engine/spelling.ts'

/** The query parameters of filters. */

const since: Filter = { parameter: { kind: 'time' }, description: '', matches: () => '' }
const words: Filter = { parameter: wordsParameter, description: '', matches: () => '' }
const query = z.object(filterParameters({ since, words }))

it('gives PostgreSQL a time in UTC, whatever offset and fraction it was sent with', () => {
  for (const [sent, utc] of [
    ['2026-03-31T08:00:00Z', '2026-03-31T08:00:00.000Z'],
    ['2026-03-31T23:30:00+23:59', '2026-03-30T23:31:00.000Z'],
    [`2026-03-31T08:00:00.5${'0'.repeat(200)}-01:00`, '2026-03-31T09:00:00.500Z'],
  ])
    expect(query.parse({ since: sent })).toEqual({ since: utc })
})

it('refuses a time that PostgreSQL does not know', () => {
  for (const sent of [
    '2026-02-30T00:00:00Z',
    '2026-03-31',
    '0000-06-01T00:00:00Z',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
  ])
    expect(query.safeParse({ since: sent }).error?.issues, sent).toMatchObject([
      { message: 'must be a time of RFC 3339, as in 2026-03-31T08:00:00Z' },
    ])
})

it('takes the words of a search in one spelling, each once', () => {
  for (const sent of ['ostw süd', ' Ostw/SÜD', 'ＯＳＴＷ.süd-süd'])
    expect(query.parse({ words: sent }), sent).toEqual({ words: ['OSTW', 'SÜD'] })
})

it('refuses a search without a word, with too many words, and with too many characters', () => {
  for (const [sent, message] of [
    [' -/. ', 'must have a word'],
    ['a b c d e f g h i j k', 'must have at most 10 words'],
    ['x'.repeat(101), 'must have 1 to 100 characters'],
    ['x\0', 'must not contain NUL'],
  ] as const)
    expect(query.safeParse({ words: sent }).error?.issues, sent).toMatchObject([{ message }])
})

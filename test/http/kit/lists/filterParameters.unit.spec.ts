import { expect, it } from 'vitest'
import { z } from 'zod'
import { filterParameters } from '../../../../src/http/kit/lists/filterParameters.ts'
import type { Filter } from '../../../../src/projections/reading/filters.ts'

/** The query parameters of filters. */

const since: Filter = { parameter: { kind: 'time' }, description: '', matches: () => '' }
const query = z.object(filterParameters({ since }))

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

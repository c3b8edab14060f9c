import { expect, it } from 'vitest'
import { aloneInHeat, type JudgedCertificate } from '../../../src/domain/verdict/verdictFacts.ts'
import { findCandidates } from '../../../src/http/bars/candidates.ts'
import type { Query, Reading } from '../../../src/projections/engine/reading/reader.ts'
import { judgedCertificate } from '../../domain/verdict/judged.ts'
import { companyId, id } from '../../support/given.ts'

const rejected: JudgedCertificate = { ...judgedCertificate, millCertificationId: id(1), status: 'Rejected' }
const noneOfHeat = { sameHeat: aloneInHeat }
const bar = {
  grade: 'S355J2',
  profile: null,
  heatRead: null,
  certificate: null,
  acceptedCuts: [],
  orders: [],
  policy: null,
  overrides: [],
  pairRules: [],
  ...noneOfHeat,
}

/** Read models in which a number of certificates are of the steel. All of them are Rejected. */
function readingOf(certificates: number): Reading {
  const query = async ({ text, values }: Query) => {
    if (text.includes('wanted(steel_key')) {
      const length = Math.min(certificates, values.at(-1) as number)
      return Array.from({ length }, (_, n) => ({ millCertificationId: id(n), isExact: true }))
    }
    if (!text.includes('AS place(')) return [bar]
    return (values[1] as string[]).map((one) => ({ ...rejected, ...noneOfHeat, millCertificationId: one }))
  }
  return { table: (_: unknown, name: string) => name, query } as unknown as Reading
}

it('judges at most 1,000 certificates, and says when there are more', async () => {
  const find = (certificates: number) => findCandidates(readingOf(certificates), { companyId, barId: id(9) })
  expect(await find(1_000)).toEqual({ candidates: [], truncated: false })
  expect(await find(1_001)).toEqual({ candidates: [], truncated: true })
})

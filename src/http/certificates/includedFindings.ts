import { defaultReleasePolicy } from '../../domain/verdict/releasePolicy.ts'
import { judgeCertificate, judgeOrder } from '../../domain/verdict/verdict.ts'
import type { OrderByItself } from '../../domain/verdict/verdictFacts.ts'
import { type FoundFactsOfCertificates, findFactsOfCertificates } from '../../projections/bars/judgedBars.ts'
import { certificateJudgedFrom } from '../../projections/bars/verdicts.ts'
import {
  type FoundReleasePolicy,
  policyOf,
  releasePolicies,
} from '../../projections/company/releasePolicies.ts'
import { hiddenFindings } from '../../projections/engine/reading/toDecide.ts'
import type { Inclusion } from '../kit/lists/inclusions.ts'

/** Certificates and orders listed with their findings, as a single one is answered. */

const description = 'the `findings` of the record by itself, as of now.'

export const certificateFindings: Inclusion = {
  description,
  reads: certificateJudgedFrom,
  async members(reading, { companyId }, listed: readonly { readonly millCertificationId: string }[]) {
    if (listed.length === 0) return []
    const ids = listed.map(({ millCertificationId }) => millCertificationId)
    const hidden = await hiddenFindings(reading, companyId!)
    const query = findFactsOfCertificates(reading, companyId!, ids)
    const [facts] = await reading.query<FoundFactsOfCertificates>(query)
    const policy = facts!.policy ?? defaultReleasePolicy
    const findingsOf = new Map(
      facts!.certificates.map(({ sameHeat, ...certificate }) => [
        certificate.millCertificationId,
        judgeCertificate(certificate, { sameHeat, policy }),
      ]),
    )
    return ids.map((id) => ({ findings: findingsOf.get(id), ...hidden }))
  },
}

export const orderFindings: Inclusion = {
  description,
  reads: [releasePolicies],
  async members(reading, { companyId }, listed: readonly OrderByItself[]) {
    const query = { text: `SELECT ${policyOf(reading)} AS policy`, values: [companyId] }
    const [facts] = await reading.query<FoundReleasePolicy>(query)
    const policy = facts!.policy ?? defaultReleasePolicy
    const hidden = await hiddenFindings(reading, companyId!)
    return listed.map((order) => ({ findings: judgeOrder(order, policy), ...hidden }))
  },
}

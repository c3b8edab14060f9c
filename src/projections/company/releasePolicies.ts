import type { ReleasePolicySet } from '../../domain/company/companyEvents.ts'
import type { ReleasePolicy } from '../../domain/verdict/releasePolicy.ts'
import { bigint, defineProjection, json, table, uuid } from '../engine/projection.ts'
import { type ListQuery, singleQuery } from '../engine/reading/listQuery.ts'
import type { Reading } from '../engine/reading/reader.ts'
import { access } from './access.ts'

/** The release policies of the companies that have set one. */

const tables = {
  releasePolicy: table({
    columns: { companyId: uuid, policy: json<ReleasePolicy>(), revision: bigint },
    key: ['companyId'],
    versioned: true,
  }),
}

export const releasePolicies = defineProjection<ReleasePolicySet>()({
  name: 'releasePolicies',
  version: 1,
  tables,
  handlers: {
    ReleasePolicySet: {
      touches: ({ data }) => ({ releasePolicy: [[data.companyId]] }),
      apply: (rows, { data: { companyId, changes: _, ...policy }, revision }) =>
        rows.releasePolicy.put({ companyId, policy, revision }),
    },
  },
})

/** A row of `findReleasePolicy`. */
export interface FoundReleasePolicy {
  /** null when the company has set none. */
  readonly policy: ReleasePolicy | null
}

/** SQL of the release policy of the company `$1`. */
export function policyOf(reading: Reading): string {
  return `(SELECT p.policy FROM ${reading.table(releasePolicies, 'releasePolicy')} p WHERE p.company_id = $1)`
}

/** The release policy of a company, with its `revision`: that of the registration when the company has set none. */
export function findReleasePolicy(reading: Reading, companyId: string): ListQuery {
  return singleQuery({
    select: { policy: 'p.policy', revision: 'coalesce(p.revision, 0)' },
    from: `${reading.table(access, 'company')} c
      LEFT JOIN ${reading.table(releasePolicies, 'releasePolicy')} p USING (company_id)`,
    where: 'c.company_id = $1',
    values: [companyId],
  })
}

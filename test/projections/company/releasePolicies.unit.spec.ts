import { expect, it } from 'vitest'
import { defaultReleasePolicy } from '../../../src/domain/verdict/releasePolicy.ts'
import { releasePolicies } from '../../../src/projections/company/releasePolicies.ts'
import { companyId, rowsOf } from '../../support/given.ts'

it('shows the policy that was set last, without the changes', () => {
  const set = (fourEyes: boolean) => ({
    type: 'ReleasePolicySet',
    data: { companyId, ...defaultReleasePolicy, fourEyes, changes: [] },
  })
  expect(rowsOf(releasePolicies, set(true), set(false)).releasePolicy).toEqual([
    { companyId, policy: { ...defaultReleasePolicy, fourEyes: false }, revision: 1 },
  ])
})

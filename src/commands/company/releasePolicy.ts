import { company, setReleasePolicy as decideToSetReleasePolicy } from '../../domain/company/company.ts'
import { type Sent, withMembers } from '../../domain/kernel/edit.ts'
import { completePolicy, type ReleasePolicy } from '../../domain/verdict/releasePolicy.ts'
import { type Command, onRecord } from '../executor/command.ts'

/** Set the members of a company's release policy that were sent. The answer has every default. */
export function setReleasePolicy(companyId: string, sent: Sent<ReleasePolicy>): Command<ReleasePolicy> {
  return onRecord({
    aggregate: company,
    id: companyId,
    record: { id: companyId, find: (company) => company && { company, ...company.releasePolicy } },
    decide: ({ company, policy }) => decideToSetReleasePolicy(company, withMembers(policy, sent)),
    answer: ({ policy, revision }) => ({ body: completePolicy(policy), etag: revision }),
  })
}

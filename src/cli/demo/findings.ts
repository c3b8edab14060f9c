import { type Caller, countNew, loadEach } from './caller.ts'
import type { ExampleFindings } from './examples.ts'
import { planBars } from './plans.ts'
import { certificateKey, type Subjects } from './subjects.ts'

/**
 * Plan the bars that show every finding, then record the facts that cause some of these findings. A second load records
 * nothing, so it keeps later decisions of the users.
 */
export async function loadFindings(
  caller: Caller,
  { plan, decisions, releasePolicy }: ExampleFindings,
  subjects: Subjects,
): Promise<void> {
  const { admin, company } = caller
  const [planned] = await loadEach(
    caller,
    'findings',
    [plan],
    (one) => planBars(caller, one, subjects),
    countNew,
  )
  if (!planned!.isNew) return
  await admin('PUT', `${company}/release-policy`, releasePolicy)
  for (const { decision, reason, ...certificate } of decisions) {
    const id = subjects.certificateIds.get(certificateKey(certificate))
    await admin('POST', `${company}/millcert/certificates/${id}/${decision}`, { reason })
  }
}

import { setTimeout as pause } from 'node:timers/promises'
import { clock } from '../../lib/clocks.ts'
import type { SweptPolicy } from '../../policies/all.ts'
import { readPolicyStatuses } from '../../policies/policyStatus.ts'
import { askForSweep, companiesLeft, type Sweep } from '../../policies/sweep.ts'
import { access } from '../../projections/company/access.ts'
import { createLookUp } from '../../projections/engine/reading/lookUp.ts'
import { storeIdOf } from '../../projections/engine/schema/store.ts'
import type { Output } from './output.ts'
import { findReadModels, type Stores } from './stores.ts'

const lookEveryMs = 200
/** Another process takes over the lease of a policy in about 5 s. After this time, no process runs the policy. */
const heldWithinMs = 10_000

/**
 * Let the service do the work of a policy once more in every company, and wait for it. Return false when some companies
 * are not done. Their jobs stay, and the service continues an interrupted sweep.
 */
export async function sweepPolicy(
  stores: Stores,
  policy: SweptPolicy,
  signal: AbortSignal,
  output: Output,
): Promise<boolean> {
  const { postgres } = stores
  const companyIds = await listCompanies(stores)
  const sweep = await sweepUpToHead(stores, policy)
  await askForSweep(postgres, sweep, companyIds)
  const left = await untilDone(stores, sweep, signal)
  const done = companyIds.length - left.waiting - left.parked
  const record = { policy: policy.name, companies: companyIds.length, done, ...left }
  output.record(record, textOf(policy, record))
  return done === companyIds.length
}

async function listCompanies(stores: Stores): Promise<readonly string[]> {
  const lookUp = createLookUp(stores.postgres, await findReadModels(stores), access)
  const companies = await lookUp<{ companyId: string }>(({ table }) => ({
    text: `SELECT company_id AS "companyId" FROM ${table(access, 'company')}`,
    values: [],
  }))
  return companies.map(({ companyId }) => companyId)
}

async function sweepUpToHead({ eventStore }: Stores, { name, sweep }: SweptPolicy): Promise<Sweep> {
  // A store with read models has events.
  const [storeId, last] = [(await storeIdOf(eventStore))!, (await eventStore.last())!]
  return { storeId, policy: name, scope: sweep, position: last.position, eventId: last.id }
}

/** Return how many companies are left as soon as all others are done, or as soon as no process serves them. */
async function untilDone({ postgres }: Stores, sweep: Sweep, signal: AbortSignal) {
  let heldAt = clock()
  for (;;) {
    const left = await companiesLeft(postgres, sweep)
    const [status] = await readPolicyStatuses(postgres, sweep.storeId, [sweep.policy])
    if (status!.held) heldAt = clock()
    if (left.waiting === 0 || clock() - heldAt > heldWithinMs) return left
    await pause(lookEveryMs, undefined, { signal })
  }
}

function textOf(
  { name, work }: SweptPolicy,
  { companies, done, waiting, parked }: { companies: number; done: number; waiting: number; parked: number },
): string {
  return [
    `${name}: ${done} of ${companies} companies are done`,
    ...(parked > 0 ? [`parked: ${parked}; "heatmark doctor" says why in the line ${work}`] : []),
    ...(waiting > 0 ? [`waiting, because no process runs the policy: ${waiting}`] : []),
    ...(waiting + parked > 0 ? ['→ remove the cause; the service then continues by itself'] : []),
  ].join('\n')
}

import type { EventStore } from '../stores/eventStore.ts'
import { type Leading, type LeadingStatus, startLeading, type Term } from '../stores/leading/leading.ts'
import type { Checkpoint } from '../stores/subscription/checkpoint.ts'
import { openTermSubscription } from '../stores/subscription/termSubscription.ts'
import { createBell } from './bell.ts'
import { conditionText, isBeyond } from './conditions.ts'
import { hear } from './hear.ts'
import { type Jobs, openJobs } from './jobs.ts'
import type { Policy } from './policy.ts'
import { leaseNameOf } from './policyStatus.ts'
import { serve } from './serve.ts'
import type { HostOptions, Work } from './work.ts'

/**
 * The host of policies. Of all processes that run a policy, the holder of its lease does two things at once: it
 * hears the events of the store, and saves the jobs that they ask for together with the checkpoint (`hear.ts`);
 * and it serves the companies that have jobs, one portion each, in turn (`serve.ts`).
 */

export interface RunningPolicy extends Leading {
  /** `position` is that of the last event that was heard; undefined while it has never led. */
  status(): LeadingStatus & { readonly position: number | undefined }
}

export function startPolicy(policy: Policy, options: HostOptions): RunningPolicy {
  const { postgres, storeId, owner, observe = {}, renewals } = options
  const { giveUpMs = usualGiveUpMs, makeWayEveryMs = usualMakeWayEveryMs } = options
  let heard: Checkpoint | undefined
  let madeWayAt = Number.NEGATIVE_INFINITY
  const acrossTerms: AcrossTerms = {
    onReached(reached) {
      heard = reached
    },
    mayMakeWay() {
      const may = options.clock() - madeWayAt >= makeWayEveryMs
      if (may) madeWayAt = options.clock()
      return may
    },
  }
  const leading = startLeading({
    postgres,
    owner,
    observe,
    renewals,
    leaseName: leaseNameOf(policy.name, storeId),
    lead: (term) => lead(policy, options, term, acrossTerms),
    textOf: conditionText,
    longPauseAfter: (error) => (isBeyond(error) ? giveUpMs : undefined),
  })
  return { ...leading, status: () => ({ ...leading.status(), position: heard?.position }) }
}

const usualGiveUpMs = 5_000
/** A process leaves the lease no more often than this, so that parked companies do not keep the others waiting. */
const usualMakeWayEveryMs = 60_000

/** The members of the work that outlive a term. */
type AcrossTerms = Pick<Work, 'onReached' | 'mayMakeWay'>

/**
 * Hear and serve until the term is over.
 * @throws Failure `term-over`, `event-store-went-back`, PostgresUnavailable, StoreUnavailable; Refusal for what this
 * release does not know
 */
async function lead(
  policy: Policy,
  options: HostOptions,
  term: Term,
  acrossTerms: AcrossTerms,
): Promise<void> {
  const { eventStore, intake, postgres, storeId } = options
  const jobs = openJobs({ postgres, storeId, policy: policy.name, lease: term.lease })
  const from = (await jobs.checkpoint()) ?? (await begin(policy, eventStore, jobs))
  acrossTerms.onReached(from)
  const failed = new AbortController()
  const over = AbortSignal.any([term.over, failed.signal])
  const news = createBell(over)
  const { lease, note } = term
  const reaction = policy.begin()
  const work: Work = { policy, options, lease, note, reaction, jobs, over, news, ...acrossTerms }
  const subscription = openTermSubscription({ ...term, over }, intake, from)
  const loops = [hear(work, subscription), serve(work, subscription)]
  for (const loop of loops) loop.catch((error) => failed.abort(error))
  try {
    await Promise.allSettled(loops)
    if (failed.signal.aborted) throw failed.signal.reason
  } finally {
    await subscription.close()
  }
}

/** Save a start at the head at once, so that a policy that stops before the first event continues from there. */
async function begin({ startsAt }: Policy, eventStore: EventStore, jobs: Jobs): Promise<Checkpoint> {
  const last = startsAt === 'head' ? await eventStore.last() : undefined
  if (!last) return { position: 0, eventId: null }
  const head = { position: last.position, eventId: last.id }
  await jobs.pass(head, [])
  return head
}

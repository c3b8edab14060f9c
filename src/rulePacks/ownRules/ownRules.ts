import type { RuleOutcome, RuleSubject } from '../../domain/rulePacks/ruleBook.ts'
import type { PackContent } from '../rulePack.ts'
import type { Checked } from './check.ts'
import type { Outcome, PackInForce } from './messages.ts'
import { createSharedThread } from './sharedThread.ts'
import type { TimeLimits } from './thread.ts'

/**
 * The rule packs that companies write themselves. Their expressions run in a thread of their own, one subject at a time
 * and within a time limit, so that a company's expressions hold up nothing else in this process. Companies that want it
 * at the same time share its time equally.
 */
export interface OwnRules {
  /** Check the document of a company. @throws Failure `rules-not-evaluated` */
  check(companyId: string, document: PackContent): Promise<Checked>
  /**
   * Return the outcomes of each pack for a subject, without the rules that do not match.
   * @throws Failure `rules-not-evaluated`, the errors of `document`, and the reason of `turn`
   */
  evaluate(
    companyId: string,
    packs: readonly OwnPackInForce[],
    judged: Judged,
  ): Promise<readonly (readonly RuleOutcome[])[]>
  close(): Promise<void>
}

export interface Judged {
  readonly subject: RuleSubject
  /** Ids of all rule packs that the company subscribes to. */
  readonly subscribed: readonly string[]
  /** An evaluation that has not begun when this is aborted never begins. */
  readonly turn?: AbortSignal | undefined
}

interface OwnPackInForce extends PackInForce {
  /** Called when the thread does not have the document any more. */
  document(): Promise<PackContent>
}

/**
 * The time for one message: a check, or all own packs of a company on one subject. Their bounds on steps take far less.
 */
const timeLimits: TimeLimits = { cpuMs: 2_000, wallMs: 30_000 }

/** @param clock milliseconds that never run backwards */
export function createOwnRules(clock: () => number, limits: TimeLimits = timeLimits): OwnRules {
  const thread = createSharedThread(clock, limits)

  async function outcomesOf(
    companyId: string,
    packs: readonly OwnPackInForce[],
    { subject, subscribed, turn }: Judged,
  ): Promise<readonly (readonly Outcome[])[]> {
    const inForce = packs.map(({ hash, parameters }) => ({ hash, parameters }))
    let documents: Record<string, PackContent> = {}
    for (;;) {
      const evaluate = { packs: inForce, documents, subject, subscribed }
      const answer = await thread.ask(companyId, { evaluate }, turn)
      if ('outcomes' in answer) return answer.outcomes
      const missing = packs.filter(({ hash }) => (answer as { missing: string[] }).missing.includes(hash))
      const fetched = await Promise.all(
        missing.map(async (pack) => [pack.hash, await pack.document()] as const),
      )
      documents = { ...documents, ...Object.fromEntries(fetched) }
    }
  }

  return {
    async check(companyId, document) {
      const answer = await thread.ask(companyId, { check: document })
      return (answer as { checked: Checked }).checked
    },
    async evaluate(companyId, packs, judged) {
      const outcomes = await outcomesOf(companyId, packs, judged)
      return outcomes.map((outcomesOfSubject) =>
        outcomesOfSubject.map(({ values, ...outcome }) => ({ ...outcome, values: () => values })),
      )
    },
    close: thread.close,
  }
}

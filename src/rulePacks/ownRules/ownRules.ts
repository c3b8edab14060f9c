import type { RuleOutcome, RuleSubject } from '../../domain/ruleBook.ts'
import type { PackContent } from '../rulePack.ts'
import type { Checked } from './check.ts'
import type { FromWorker, Outcome, PackInForce, ToWorker } from './messages.ts'
import { startThread, type Thread, type TimeLimits } from './thread.ts'
import { createTurns } from './turns.ts'

/**
 * The rule packs that companies write themselves. Their expressions run in a thread of their own, one subject at a time
 * and within a time limit, so that a company's expressions hold up nothing else in this process. Companies that want it
 * at the same time share its time equally.
 */
export interface OwnRules {
  /** Check the document of a company. @throws RulesNotEvaluated */
  check(companyId: string, document: PackContent): Promise<Checked>
  /**
   * Return the outcomes of each pack for a subject, without the rules that do not match.
   * @throws RulesNotEvaluated, the errors of `document`, and the reason of `turn`
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

export interface OwnPackInForce extends PackInForce {
  /** Called when the thread does not have the document any more. */
  document(): Promise<PackContent>
}

/** The own rules of a company could not be checked or evaluated within their bounds. Other companies are not affected. */
export class RulesNotEvaluated extends Error {
  override readonly name = 'RulesNotEvaluated'
}

/** The time for one message: a check, or all own packs of a company on one subject. Their bounds on steps take far less. */
const timeLimits: TimeLimits = { cpuMs: 2_000, wallMs: 30_000 }
/** The most messages of one company that wait. The policy and the requests of a company need far fewer. */
const maxWaiting = 200

/** @param clock milliseconds that never run backwards */
export function createOwnRules(clock: () => number, limits: TimeLimits = timeLimits): OwnRules {
  const threads = createThreads(clock, limits)

  async function outcomesOf(
    companyId: string,
    packs: readonly OwnPackInForce[],
    { subject, subscribed, turn }: Judged,
  ): Promise<readonly (readonly Outcome[])[]> {
    const inForce = packs.map(({ hash, parameters }) => ({ hash, parameters }))
    let documents: Record<string, PackContent> = {}
    for (;;) {
      const evaluate = { packs: inForce, documents, subject, subscribed }
      const answer = await threads.ask(companyId, { evaluate }, turn)
      if ('outcomes' in answer) return answer.outcomes
      const missing = packs.filter(({ hash }) => (answer as { missing: string[] }).missing.includes(hash))
      documents = Object.fromEntries(
        await Promise.all(missing.map(async (pack) => [pack.hash, await pack.document()] as const)),
      )
    }
  }

  return {
    async check(companyId, document) {
      const answer = await threads.ask(companyId, { check: document })
      return (answer as { checked: Checked }).checked
    },
    async evaluate(companyId, packs, judged) {
      const outcomes = await outcomesOf(companyId, packs, judged)
      return outcomes.map((found) =>
        found.map(({ values, ...outcome }) => ({ ...outcome, values: () => values })),
      )
    },
    close: threads.close,
  }
}

interface Asked {
  readonly message: ToWorker
  readonly turn: AbortSignal | undefined
  readonly resolve: (answer: FromWorker) => void
  readonly reject: (error: unknown) => void
}

/** One thread, started when it is needed. It answers one message at a time; one that fails is replaced. */
function createThreads(clock: () => number, limits: TimeLimits) {
  const turns = createTurns<Asked>(maxWaiting)
  let isWorking = false
  let thread: Thread | undefined

  const ask = (companyId: string, message: ToWorker, turn?: AbortSignal): Promise<FromWorker> =>
    new Promise((resolve, reject) => {
      if (!turns.add(companyId, { message, turn, resolve, reject }))
        reject(new RulesNotEvaluated(`${maxWaiting} requests of the company are waiting already`))
      else if (!isWorking) void work()
    })

  /** Settle every message that waits. This never throws. */
  async function work(): Promise<void> {
    isWorking = true
    for (let next = turns.next(); next; next = turns.next()) {
      const { companyId, asked } = next
      if (asked.turn?.aborted) asked.reject(asked.turn.reason)
      else await settle(companyId, asked)
    }
    isWorking = false
  }

  async function settle(companyId: string, asked: Asked): Promise<void> {
    try {
      thread ??= await startThread(new URL('./worker.ts', import.meta.url), forget)
      const began = clock()
      const answer = await thread
        .ask(asked.message, limits)
        .finally(() => turns.charge(companyId, clock() - began))
      if ('failed' in answer) asked.reject(new RulesNotEvaluated(answer.failed))
      else asked.resolve(answer)
    } catch (error) {
      await drop()
      const failed = new RulesNotEvaluated((error as Error).message, { cause: error })
      asked.reject(failed)
      // Each of them might take as long.
      for (const other of turns.takeAll(companyId)) other.reject(failed)
    }
  }

  function forget(ended: Thread): void {
    if (thread === ended) thread = undefined
  }

  async function drop(): Promise<void> {
    const dropped = thread
    thread = undefined
    await dropped?.end()
  }

  return {
    ask,
    async close() {
      for (const { reject } of turns.takeAll()) reject(new RulesNotEvaluated('the service is stopping'))
      await drop()
    },
  }
}

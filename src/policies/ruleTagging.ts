import type { Execute, HearingExecutor } from '../commands/executor/command.ts'
import { catalogueOnce, evaluateByRules, type JudgeByOwnRules } from '../commands/rulePacks/rulePacks.ts'
import type { Recorded } from '../domain/kernel/event.ts'
import { Refusal } from '../domain/kernel/refusal.ts'
import type { SubjectRef } from '../domain/tags/assignments.ts'
import type { RulePackEvent } from '../domain/tags/catalogueEvents.ts'
import { subjects } from '../domain/tags/subjects.ts'
import { type Family, familyNames } from '../domain/tags/tag.ts'
import { certificates } from '../projections/certificates/certificates.ts'
import type { Reading } from '../projections/engine/reading/reader.ts'
import { orders } from '../projections/orders/orders.ts'
import { rulePacks } from '../projections/rulePacks/rulePacks.ts'
import { type EvaluationPortion, listSubjectPortions } from '../projections/tags/subjects.ts'
import { tags } from '../projections/tags/tags.ts'
import type { EventStore } from '../stores/eventStore.ts'
import type { Queries } from '../stores/postgres/postgres.ts'
import { decisionTypes, followDecisions } from './decisions.ts'
import { saveEvaluation } from './evaluation.ts'
import type { Hear, Job, Policy, Portion, Reaction } from './policy.ts'

/**
 * Rule packs tag subjects that are there already. A registration is evaluated as it is recorded; this policy sees
 * to the rest: all subjects of a company that has decided on a pack, and each subject that was registered or
 * corrected by a node that did not know of that decision yet, or in a company with rule packs of its own. It repeats
 * `evaluateByRules`, which records nothing where nothing changes. A process that was paused may wake up without the
 * lease, and still record findings of packs that are no longer in force. The holder of the lease hears these events too.
 */

interface RuleTaggingOptions {
  readonly eventStore: EventStore
  readonly postgres: Queries
  readonly execute: Execute
  /** Called with the events of a subject that is to be evaluated. */
  readonly noteEvent: HearingExecutor['noteEvent']
  readonly judgeByOwnRules: (turn: AbortSignal) => JudgeByOwnRules
  readonly newId: () => string
  readonly observe?: RuleTaggingObserver
}

export interface RuleTaggingObserver {
  /** A subject was evaluated by the packs in force. */
  onEvaluated?(): void
  /** All subjects of a company were evaluated, after a decision on one of its packs. */
  onFinished?(): void
  /** A subject cannot be evaluated. */
  condition?(message: string): void
}

export const ruleTaggingName = 'ruleTagging'

export function ruleTagging(options: RuleTaggingOptions): Policy {
  return {
    name: ruleTaggingName,
    // A decision that nobody has evaluated stays wrong for ever, and evaluating again changes nothing.
    startsAt: 'first event',
    reads: [certificates, orders, rulePacks],
    shows: [tags],
    targetsAtOnce: 64,
    begin: () => begin(options),
  }
}

/** A decision asks for a pack: all subjects of the company. A registration asks for its subject alone. */
const packScope = 'pack/'
export const ruleTagger = { id: ruleTaggingName, name: 'Rule packs', kind: 'service' } as const

function begin(options: RuleTaggingOptions): Reaction {
  const { postgres, execute, judgeByOwnRules, newId, observe = {} } = options
  return {
    hears: createHearing(options),
    next,
    portion(companyId, turn) {
      // A decision that is recorded meanwhile brings a job of its own.
      const loadCatalogue = catalogueOnce(companyId)
      const judge = judgeByOwnRules(turn)
      return async (target) => {
        const [family, subjectId] = target.split('/') as [Family, string]
        try {
          const command = evaluateByRules(companyId, family, subjectId, loadCatalogue, judge)
          const { position } = await execute(command, { actor: ruleTagger, correlationId: newId() })
          observe.onEvaluated?.()
          return position
        } catch (error) {
          // Another attempt would not make the event smaller, and the other subjects must not wait.
          if (!(error instanceof Refusal) || error.code !== 'too-large-to-record') throw error
          observe.condition?.(`${family} ${subjectId} of company ${companyId}: ${error.message}`)
          return 0
        }
      }
    },
    async report({ companyId, scope, eventId }, progress, lease) {
      if (!scope.startsWith(packScope)) return
      const rulePackId = scope.slice(packScope.length)
      await saveEvaluation(postgres, lease, { eventId, companyId, rulePackId, ...progress })
      if (progress.finished) observe.onFinished?.()
    },
  }
}

/** Hear decisions on packs, and subjects that were judged by packs that are not in force. */
function createHearing({ eventStore, noteEvent }: RuleTaggingOptions): ReadonlyMap<string, Hear> {
  const decisions = followDecisions(eventStore)

  const hearDecision: Hear = (event) => {
    const decision = event as Recorded<RulePackEvent>
    decisions.pass(decision)
    return [`${packScope}${decision.data.rulePackId}`]
  }
  const ifStale = async (
    { companyId, family, subjectId }: SubjectRef,
    rulesAsOf: number,
    event: Recorded,
  ): Promise<readonly string[]> => {
    if (rulesAsOf >= (await decisions.lastBefore(companyId, event.position))) return []
    const { aggregate, key } = subjects[family]
    noteEvent(aggregate, key(companyId, subjectId), event)
    return [`${family}/${subjectId}`]
  }
  const hearArrival =
    (family: Family): Hear =>
    (event) => {
      const { companyId, [familyNames[family].subjectId]: subjectId } = event.data as Record<string, string>
      return ifStale({ companyId, family, subjectId } as SubjectRef, event.metadata?.rulesAsOf ?? -1, event)
    }
  const hearEvaluation: Hear = (event) => {
    const { rulesAsOf } = event.metadata ?? {}
    // It was recorded with a registration or correction, whose event names the revision.
    return rulesAsOf === undefined ? [] : ifStale(event.data as SubjectRef, rulesAsOf, event)
  }

  return new Map<string, Hear>([
    ...decisionTypes.map((type) => [type, hearDecision] as const),
    ['MillCertificateRegistered', hearArrival('millCert')],
    ['MillCertificateCorrected', hearArrival('millCert')],
    ['OrderRegistered', hearArrival('order')],
    ['OrderCorrected', hearArrival('order')],
    ['RuleAssignmentsReplaced', hearEvaluation],
  ])
}

/** Packs that were decided on together go through the subjects side by side, and share their portions. */
async function next(
  reading: Reading,
  companyId: string,
  jobs: readonly Job[],
  most: number,
): Promise<readonly Portion[]> {
  const ofPacks = jobs.filter(({ scope }) => scope.startsWith(packScope))
  const ofSubjects = jobs.filter((job) => !ofPacks.includes(job))
  const found =
    ofPacks.length === 0
      ? []
      : await reading.query<EvaluationPortion>(listSubjectPortions(reading, companyId, ofPacks, most))
  return [
    ...ofSubjects.map(({ scope }) => ({ scope, targets: [scope], after: null })),
    ...found.map(({ eventId, subjects, total }) => ({
      scope: ofPacks.find((job) => job.eventId === eventId)!.scope,
      targets: subjects,
      after: subjects.length < most ? null : subjects.at(-1)!,
      ...(total !== null && { total }),
    })),
  ]
}

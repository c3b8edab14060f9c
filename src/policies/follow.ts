import { setTimeout as pause } from 'node:timers/promises'
import type { CommandContext, Execute } from '../commands/command.ts'
import { concurrently } from '../commands/concurrently.ts'
import { evaluateByRules } from '../commands/rulePacks.ts'
import { domainEvents } from '../domain/aggregates.ts'
import type { DomainEvent, Recorded } from '../domain/event.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Family } from '../domain/tag.ts'
import type { RulePackEvent } from '../domain/tagCatalogue.ts'
import { current, understands } from '../domain/versions.ts'
import type { EventStore } from '../eventStore.ts'
import { type LeadingObserver, type Term, TermOver } from '../leading/leading.ts'
import type { Postgres } from '../postgres.ts'
import { certificates } from '../projections/certificates.ts'
import { orders } from '../projections/orders.ts'
import { openFeedOf } from '../projections/projector/feed.ts'
import type { Reader } from '../projections/reading/reader.ts'
import type { Positions } from '../projections/reading/waitFor.ts'
import { tags } from '../projections/tags.ts'
import { loadCursor, policy, saveCursor } from './cursor.ts'
import { followDecisions, isDecision } from './decisions.ts'
import { evaluateAll } from './evaluation.ts'
import { newerRelease, troubleText } from './trouble.ts'

/** What the holder of the lease does: it follows the store, and evaluates again what may have become stale. */

/** `trouble` is told of a subject that cannot be evaluated, too. */
export interface RuleTaggingObserver extends LeadingObserver {
  /** A subject was held against the packs in force. */
  evaluated?(): void
  /** All subjects of a company were, after a decision on one of its packs. */
  finished?(): void
  /** A subscription ended and is opened again. */
  dropped?(reason: string): void
}

/** What the policy works with, whoever holds the lease. */
export interface Means {
  readonly eventStore: EventStore
  readonly postgres: Postgres
  readonly reader: Reader
  readonly positions: Pick<Positions, 'waitFor'>
  readonly execute: Execute
  readonly storeId: string
  readonly newId: () => string
}

export interface FollowOptions extends Means, Pick<Term, 'lease' | 'over' | 'underWay' | 'note'> {
  readonly observe: RuleTaggingObserver
  /** Told the position of the last event that has been dealt with. */
  readonly reached: (position: number) => void
}

const batchSize = 500
const queueCapacity = 10_000
const atOnce = 16
const readModelsWithinMs = 1_000

const lookAgainMs = 1_000

const actor = { id: policy, name: 'Rule packs', kind: 'service' } as const

const families: ReadonlyMap<string, Family> = new Map([
  ['MillCertificateRegistered', 'millCert'],
  ['MillCertificateCorrected', 'millCert'],
  ['OrderRegistered', 'order'],
  ['OrderCorrected', 'order'],
])

const refuseNewer = (event: Recorded): void => {
  if (!understands(domainEvents, event))
    throw new Refusal('unavailable', newerRelease, `A newer release has recorded ${event.type}.`)
}

/**
 * Follows the store from the checkpoint on, until the term is over.
 * @throws TermOver, WentBack, PostgresUnavailable; Refusal, also for what this release does not know
 */
export const follow = async (options: FollowOptions): Promise<void> => {
  const { eventStore, execute, reader, postgres, positions, storeId, lease, newId } = options
  const { observe, over, note, reached } = options
  const decisions = followDecisions(eventStore)
  /** Position of the newest event that tells what rules say. */
  let evaluatedUpTo = 0

  const evaluate = async (companyId: string, family: Family, subjectId: string): Promise<void> => {
    const context: CommandContext = { actor, correlationId: newId() }
    try {
      const { position } = await execute(evaluateByRules(companyId, family, subjectId), context)
      evaluatedUpTo = Math.max(evaluatedUpTo, position)
    } catch (error) {
      // Nothing that is tried again would make it smaller; the others must not wait for it.
      if (!(error instanceof Refusal) || error.kind !== 'too-large') throw error
      observe.trouble?.(`${family} ${subjectId} of company ${companyId}: ${error.message}`)
    }
    observe.evaluated?.()
  }

  /** Unless a later decision on the same pack asks for the same again. */
  const carryOut = async (event: Recorded<RulePackEvent>): Promise<void> => {
    if (await decisions.isRepeated(event)) return
    const readModels = [certificates, orders]
    while (!(await positions.waitFor(readModels, event.position, readModelsWithinMs))) {
      if (over.aborted) return
      note('read models', 'the read models are behind')
      // One that has stopped says so at once, and may do so for hours.
      await pause(lookAgainMs, undefined, { signal: over }).catch(() => {})
    }
    note('read models')
    // Whoever reads that it is done also reads what it did.
    const shown = () => positions.waitFor([tags], evaluatedUpTo, readModelsWithinMs)
    if (await evaluateAll({ postgres, reader, lease, evaluate, shown }, event, over)) observe.finished?.()
  }

  const handle = async (events: readonly Recorded[]): Promise<void> => {
    let stale: { companyId: string; family: Family; subjectId: string }[] = []
    const flush = async () => {
      await concurrently(atOnce, stale, (one) => evaluate(one.companyId, one.family, one.subjectId))
      stale = []
    }
    for (const stored of events) {
      const family = families.get(stored.type)
      if ((!family && !isDecision(stored)) || stored.isJson === false) continue
      refuseNewer(stored)
      const event = current(domainEvents, stored)
      if (isDecision(event)) {
        await flush()
        decisions.pass(event)
        await carryOut(event)
      } else if (family) {
        const { companyId, millCertificationId, orderId } = (
          event as DomainEvent<string, Record<string, string>>
        ).data
        const subjectId = (millCertificationId ?? orderId)!
        if ((event.metadata?.rulesAsOf ?? -1) < (await decisions.lastBefore(companyId!, event.position)))
          stale.push({ companyId: companyId!, family, subjectId })
      }
      if (over.aborted) return
    }
    await flush()
  }

  const from = await loadCursor(postgres, storeId)
  reached(from.position)
  const feed = openFeedOf(options, observe, { eventStore, from, capacity: queueCapacity })
  try {
    for (let events = await feed.take(batchSize); events.length > 0; events = await feed.take(batchSize)) {
      // Stays noted until it has got past them: a turn that begins anew has not.
      await handle(events).catch((error: Error) => {
        if (!over.aborted && !(error instanceof TermOver)) note('events', troubleText(error))
        throw error
      })
      if (over.aborted) return
      const last = events.at(-1)!
      await saveCursor(postgres, storeId, lease, last)
      reached(last.position)
      note('events')
    }
  } finally {
    await feed.close()
    note('read models')
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { CommandContext, Execute } from '../commands/command.ts'
import { concurrently } from '../commands/concurrently.ts'
import { evaluateByRules } from '../commands/rulePacks.ts'
import { eventVersions } from '../domain/aggregates.ts'
import type { DomainEvent, Recorded } from '../domain/event.ts'
import { Refusal } from '../domain/refusal.ts'
import type { RulePackEvent } from '../domain/rulePackSubscriptions.ts'
import { catalogueStream, type Family } from '../domain/tagCatalogue.ts'
import type { EventStore } from '../eventStore.ts'
import type { Postgres } from '../postgres.ts'
import { certificates } from '../projections/certificates.ts'
import { type KeptPosition, openFeed } from '../projections/feed.ts'
import {
  heldSql,
  type Lease,
  releaseLease,
  renewEveryMs,
  renewLease,
  takeLease,
} from '../projections/lease.ts'
import { orders } from '../projections/orders.ts'
import type { Reader } from '../projections/reader.ts'
import { tags } from '../projections/tags.ts'
import type { Positions } from '../projections/waitFor.ts'
import { evaluateAll, LeaseLost } from './evaluation.ts'

/**
 * Rule packs tag what is there already. A registration is evaluated as it is recorded; this policy follows
 * the store and sees to the rest: all subjects of a company that has decided on a pack, and each subject
 * that was registered or corrected by a node that did not know of that decision yet. All it does is repeat
 * `evaluateByRules`, which is harmless, so it may be ended anywhere and go on from its last kept position.
 */

export interface RuleTaggingOptions {
  readonly eventStore: EventStore
  /** A pool of its own, of two connections: one holds the lease, one does the rest. */
  readonly postgres: Postgres
  readonly reader: Reader
  readonly positions: Pick<Positions, 'waitFor'>
  readonly execute: Execute
  readonly storeId: string
  /** This process, among all that may lead; never the same twice. */
  readonly owner: string
  readonly newId: () => string
  readonly observe?: {
    /** Something is wrong that is tried again, or a subject that cannot be evaluated. */
    trouble?(message: string): void
    leading?(leading: boolean): void
  }
}

export interface RuleTagging {
  readonly leading: boolean
  /** What keeps it from its work, if anything does. */
  readonly trouble: string | undefined
  stop(): Promise<void>
}

const policy = 'ruleTagging'
const batchSize = 500
const queueCapacity = 10_000
const atOnce = 16
const retakeEveryMs = 500
/** So long it leaves the lease to others, having met what it does not ship. */
const giveUpMs = 5_000
const longestPauseMs = 2_000
const readModelsWithinMs = 1_000

const actor = { id: policy, name: 'Rule packs', kind: 'service' } as const

const familyOf: Readonly<Record<string, Family>> = {
  MillCertificateRegistered: 'millCert',
  MillCertificateCorrected: 'millCert',
  OrderRegistered: 'order',
  OrderCorrected: 'order',
}
const decisions = new Set(['RulePackSubscribed', 'RulePackUpgraded', 'RulePackUnsubscribed'])

const isDecision = (event: Recorded): event is Recorded<RulePackEvent> => decisions.has(event.type)

/** Another release is at work that knows what this one does not. */
const isBeyond = (error: unknown): boolean =>
  error instanceof Refusal &&
  (error.code === 'rule-pack-not-shipped' || error.code === 'newer-release-running')

const refuseNewer = (event: Recorded): void => {
  const known = eventVersions[event.type] ?? Number.POSITIVE_INFINITY
  if (event.metadata.schemaVersion > known)
    throw new Refusal('unavailable', 'newer-release-running', `A newer release has recorded ${event.type}.`)
}

interface Turn extends RuleTaggingOptions {
  readonly lease: Lease
  readonly note: (message?: string) => void
}

const loadCursor = async ({ postgres, storeId }: Turn): Promise<KeptPosition> => {
  const [row] = await postgres.query<KeptPosition>(
    'SELECT position, event_id AS "eventId" FROM heatmark_local.policy_cursor WHERE store_id = $1 AND policy = $2',
    [storeId, policy],
  )
  return row ?? { position: 0, eventId: null }
}

const saveCursor = async ({ postgres, storeId, lease }: Turn, { position, id }: Recorded): Promise<void> => {
  const saved = await postgres.query(
    `WITH held AS (${heldSql('$1', '$2')})
     INSERT INTO heatmark_local.policy_cursor (store_id, policy, position, event_id)
     SELECT $3, $4, $5, $6 FROM held
     ON CONFLICT (store_id, policy) DO UPDATE SET position = $5, event_id = $6
     RETURNING 1`,
    [lease.name, lease.fencing, storeId, policy, position, id],
  )
  if (saved.length === 0) throw new LeaseLost('somebody else holds the lease of the rule packs')
}

/** Follows the store for as long as the lease is held. */
const follow = async (turn: Turn, over: AbortSignal): Promise<void> => {
  const { eventStore, execute, reader, postgres, positions, lease, newId, note, observe } = turn
  /** Of the last decision that this policy has passed, by company: its revision in the company's catalogue. */
  const passed = new Map<string, number>()
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
      observe?.trouble?.(`${family} ${subjectId} of company ${companyId}: ${error.message}`)
    }
  }

  /** The catalogue's decisions on rule packs up to a position. */
  const decisionsOf = async (companyId: string, isWanted: (event: Recorded) => boolean) => {
    const found: Recorded<RulePackEvent>[] = []
    for await (const event of eventStore.readStream(catalogueStream(companyId), 0))
      if (isDecision(event) && isWanted(event)) found.push(event)
    return found
  }

  const lastDecision = async (companyId: string, position: number): Promise<number> => {
    const known = passed.get(companyId)
    if (known !== undefined) return known
    const before = await decisionsOf(companyId, (event) => event.position < position)
    const revision = before.at(-1)?.revision ?? -1
    passed.set(companyId, revision)
    return revision
  }

  /** Unless a later decision on the same pack asks for the same again. */
  const carryOut = async (event: Recorded<RulePackEvent>): Promise<void> => {
    const { companyId, rulePackId } = event.data
    const isLater = (other: Recorded) =>
      other.position > event.position && (other as Recorded<RulePackEvent>).data.rulePackId === rulePackId
    if ((await decisionsOf(companyId, isLater)).length > 0) return
    const readModels = [certificates, orders]
    while (!(await positions.waitFor(readModels, event.position, readModelsWithinMs))) {
      if (over.aborted) return
      note('the read models are behind')
    }
    note()
    // Whoever reads that it is done also reads what it did.
    const shown = () => positions.waitFor([tags], evaluatedUpTo, readModelsWithinMs)
    await evaluateAll({ postgres, reader, lease, evaluate, shown }, event, over)
  }

  const handle = async (events: readonly Recorded[]): Promise<void> => {
    let stale: { companyId: string; family: Family; subjectId: string }[] = []
    const flush = async () => {
      await concurrently(atOnce, stale, (one) => evaluate(one.companyId, one.family, one.subjectId))
      stale = []
    }
    for (const event of events) {
      const family = familyOf[event.type]
      if (!family && !isDecision(event)) continue
      refuseNewer(event)
      if (isDecision(event)) {
        await flush()
        passed.set(event.data.companyId, event.revision)
        await carryOut(event)
      } else if (family) {
        const { companyId, millCertificationId, orderId } = (
          event as DomainEvent<string, Record<string, string>>
        ).data
        const subjectId = (millCertificationId ?? orderId)!
        if ((event.metadata.rulesAsOf ?? -1) < (await lastDecision(companyId!, event.position)))
          stale.push({ companyId: companyId!, family, subjectId })
      }
      if (over.aborted) return
    }
    await flush()
  }

  const feed = openFeed({
    eventStore,
    from: await loadCursor(turn),
    capacity: queueCapacity,
    onTrouble: note,
  })
  const close = () => void feed.close()
  over.addEventListener('abort', close)
  // It may have been over before there was anything to close.
  if (over.aborted) close()
  try {
    for (let events = await feed.take(batchSize); events.length > 0; events = await feed.take(batchSize)) {
      await handle(events)
      if (over.aborted) return
      await saveCursor(turn, events.at(-1)!)
    }
  } finally {
    over.removeEventListener('abort', close)
    await feed.close()
  }
}

/** Renews the lease for as long as it is held. */
const keep = async ({ postgres, lease }: Turn, over: AbortSignal, lost: () => void): Promise<void> => {
  for (;;) {
    await sleep(renewEveryMs, undefined, { signal: over }).catch(() => {})
    if (over.aborted) return
    // Should PostgreSQL be gone, the lease expires by itself, and nothing is saved without it.
    if (!(await renewLease(postgres, lease, null).catch(() => true))) return lost()
  }
}

export const startRuleTagging = (options: RuleTaggingOptions): RuleTagging => {
  const { postgres, storeId, owner, observe = {} } = options
  const stopping = new AbortController()
  let leading = false
  let trouble: string | undefined
  const note = (message?: string) => {
    if (message !== undefined && message !== trouble) observe.trouble?.(message)
    trouble = message
  }
  const setLeading = (now: boolean) => {
    if (now !== leading) observe.leading?.(now)
    leading = now
  }

  /** Leads for as long as it may; false when another does. */
  const turn = async (): Promise<boolean> => {
    const connection = await postgres.connect()
    const ended = new AbortController()
    const over = AbortSignal.any([ended.signal, stopping.signal])
    let lease: Lease | undefined
    let keeping: Promise<void> | undefined
    try {
      lease = await takeLease(connection, `${policy}/${storeId}`, owner)
      setLeading(lease !== undefined)
      if (!lease) return false
      const held = { ...options, lease, note }
      keeping = keep(held, over, () => ended.abort())
      await follow(held, over)
      return true
    } finally {
      ended.abort()
      await keeping
      if (lease) await releaseLease(postgres, lease).catch(() => {})
      connection.release(lease !== undefined)
    }
  }

  const run = async () => {
    let pauseMs = 0
    while (!stopping.signal.aborted) {
      try {
        pauseMs = (await turn()) ? 0 : retakeEveryMs
        note()
      } catch (error) {
        if (!(error instanceof LeaseLost)) note((error as Error).message)
        pauseMs = isBeyond(error) ? giveUpMs : Math.min(longestPauseMs, Math.max(100, pauseMs * 2))
      }
      setLeading(leading && pauseMs === 0)
      if (pauseMs > 0) await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
    setLeading(false)
  }
  const running = run()

  return {
    get leading() {
      return leading
    },
    get trouble() {
      return trouble
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}

import { setTimeout as pause } from 'node:timers/promises'
import { Refusal } from '../../domain/kernel/refusal.ts'
import { listUnsigned, log } from '../../projections/audit/log.ts'
import type { Reader } from '../../projections/engine/reading/reader.ts'
import { type Leading, type LeadingObserver, startLeading, type Term } from '../../stores/leading/leading.ts'
import type { Renewals } from '../../stores/leading/renewals.ts'
import type { Postgres } from '../../stores/postgres/postgres.ts'
import { type AnchorPlace, anchorDue } from './anchors.ts'
import { rereadAll } from './reread.ts'
import { readCheckpoints, type SignerOptions, signMany } from './signer.ts'

/**
 * The signer: of all processes with the role `policies` and the announced key, the holder of the lease signs a checkpoint
 * of each company that has new events, once a minute. Each day it reads all histories again, which finds edits of old
 * events. It does not sign a company whose history has changed. It brings the checkpoints to the places that anchor them,
 * and waits for none of these.
 */

interface SigningOptions extends SignerOptions {
  /** A pool of two connections: one holds the lease, one does the rest. */
  readonly postgres: Postgres
  readonly reader: Pick<Reader, 'read'>
  /** This process, among all that may lead; never the same twice. */
  readonly owner: string
  /** Milliseconds that never run backwards. */
  readonly clock: () => number
  readonly observe: LeadingObserver
  readonly anchorPlaces: readonly AnchorPlace[]
  /** Milliseconds after which a place that does not answer is noted as a condition; by default 30,000. */
  readonly anchorSilentMs?: number
  /** Milliseconds between two rounds; by default 60,000. */
  readonly everyMs?: number
  /** Renews the lease, about once a second by default. */
  readonly renewals?: Renewals
}

const dayMs = 86_400_000

export function startSigning(options: SigningOptions): Leading {
  const { postgres, owner, observe, storeId, everyMs = 60_000, renewals } = options
  const anchoring = new Map<AnchorPlace, Promise<void>>()
  return startLeading({
    postgres,
    owner,
    observe,
    leaseName: signerLease(storeId),
    renewals,
    lead: (term) => keepSigning({ ...options, everyMs, anchoring }, term),
    textOf: (error) => (error instanceof Refusal ? `${error.code}: ${error.message}` : error.message),
    // The key can only be given by people.
    longPauseAfter: (error) => (error instanceof Refusal ? everyMs : undefined),
  })
}

export function signerLease(storeId: string): string {
  return `signer/${storeId}`
}

interface Working extends SigningOptions {
  readonly everyMs: number
  /** The anchoring that this process has begun at each place. It outlives a term: see `keepAnchoring`. */
  readonly anchoring: Map<AnchorPlace, Promise<void>>
}

async function keepSigning(options: Working, term: Term): Promise<void> {
  const { over, note, underWay } = term
  const { eventStore, reader, storeId, clock, everyMs, anchoring } = options
  for (const place of options.anchorPlaces)
    anchoring.set(place, keepAnchoring(options, place, term, anchoring.get(place)))
  const changed = new Map<string, string>()
  // A changed history stays one, so it is looked for again after a day, or by the next process.
  let triedAt = Number.NEGATIVE_INFINITY
  while (!over.aborted) {
    const { value: unsigned } = await reader.read([log], (reading) =>
      reading.query<{ companyId: string }>(listUnsigned(reading, storeId)),
    )
    // A changed history takes a full read to find out, and only people can mend it.
    const due = unsigned.map(({ companyId }) => companyId).filter((companyId) => !changed.has(companyId))
    for (const [companyId, fault] of await signMany(options, due)) changed.set(companyId, fault)
    if (clock() - triedAt >= dayMs && (await isRereadDue(options))) {
      triedAt = clock()
      changed.clear()
      const { histories } = await rereadAll(eventStore, await readCheckpoints(options))
      for (const { companyId, rereading } of histories) {
        const fault = rereading.fault()
        if (fault !== undefined) changed.set(companyId, fault)
      }
      if (changed.size === 0) await keepReread(options)
    }
    underWay()
    note('histories', conditionOf(changed))
    await pause(everyMs, undefined, { signal: over }).catch(() => {})
  }
}

/** Whether the last time is a day ago, whichever process it was. A store without one has nothing to compare yet. */
async function isRereadDue({ postgres, storeId }: Pick<Working, 'postgres' | 'storeId'>): Promise<boolean> {
  const [due] = await postgres.query(
    `WITH begun AS (
       INSERT INTO heatmark_local.log_reread (store_id) VALUES ($1) ON CONFLICT DO NOTHING
     )
     SELECT FROM heatmark_local.log_reread
     WHERE store_id = $1 AND reread_at <= clock_timestamp() - interval '1 day'`,
    [storeId],
  )
  return due !== undefined
}

async function keepReread({ postgres, storeId }: Pick<Working, 'postgres' | 'storeId'>): Promise<void> {
  await postgres.query(
    'UPDATE heatmark_local.log_reread SET reread_at = clock_timestamp() WHERE store_id = $1',
    [storeId],
  )
}

/**
 * A write to a disk that is away may never end, and each one under way takes a thread. So the next one waits for it, also
 * when it is of a former term.
 */
async function keepAnchoring(
  options: Working,
  place: AnchorPlace,
  { over, note }: Pick<Term, 'over' | 'note'>,
  before: Promise<void> = Promise.resolve(),
): Promise<void> {
  const { everyMs, anchorSilentMs = 30_000 } = options
  const silent = `the place of anchors (${place.kind}) has not answered for ${anchorSilentMs / 1_000} s`
  const noteLater = () => setTimeout(() => over.aborted || note(place.kind, silent), anchorSilentMs).unref()
  const waiting = noteLater()
  await before
  clearTimeout(waiting)
  while (!over.aborted) {
    const late = noteLater()
    const fault = await anchorDue(options, place, over, () => late.refresh()).then(() => undefined, messageOf)
    clearTimeout(late)
    if (!over.aborted) note(place.kind, fault)
    await pause(everyMs, undefined, { signal: over }).catch(() => {})
  }
}

/** Name the first company whose history has changed, and say how many more there are. */
function conditionOf(changed: ReadonlyMap<string, string>): string | undefined {
  const [first] = changed
  if (!first) return undefined
  const more = changed.size > 1 ? `; ${changed.size - 1} more companies have a changed history, too` : ''
  return `history-diverged: company ${first[0]}: ${first[1]}${more}`
}

function messageOf({ message }: Error): string {
  return message
}

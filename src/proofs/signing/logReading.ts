import { notFound, Refusal } from '../../domain/kernel/refusal.ts'
import { countText } from '../../lib/countText.ts'
import { type FoundLastEvent, findLastEventAt } from '../../projections/audit/lastEvents.ts'
import { listHashes, listLeaves } from '../../projections/audit/log.ts'
import type { Reading } from '../../projections/engine/reading/reader.ts'
import {
  headFrom,
  headOfRuns,
  headsAround,
  inclusionRanges,
  type Range,
  rangesAround,
  runsOf,
} from '../merkleLog/proofs.ts'
import { hashBytes } from '../merkleLog/tree.ts'
import type { SignedCheckpoint } from './signer.ts'

/** Read the hashes of a log from the read models, and make heads and proofs from them. */

/** A part of the log, with the position at which it was read. */
export interface LogPart<Value> {
  readonly value: Value
  readonly position: number
}

/** RFC 6962, 2.1.1. */
export interface InclusionProof {
  readonly index: number
  /** In base64. */
  readonly hashes: readonly string[]
}

/** A proof with the head of the tree that it leads to. */
export interface HeadedProof extends InclusionProof {
  readonly head: Buffer
}

/** The hashes of so many ranges are in memory at once. */
const rangesAtOnce = 100

/** Prove that the tree of this size has some entries, in their order. Proofs share most of their ranges. */
export async function inclusionProofs(
  reading: Reading,
  companyId: string,
  leaves: readonly Leaf[],
  size: number,
): Promise<readonly HeadedProof[]> {
  const whole = { from: 0, to: size }
  const rangesOf = leaves.map(({ index }) => inclusionRanges(index, whole))
  const nameOf = ({ from, to }: Range) => `${from}-${to}`
  const needed = [...new Map(rangesOf.flat().map((range) => [nameOf(range), range])).values()]
  const heads = new Map<string, Buffer>()
  for (let at = 0; at < needed.length; at += rangesAtOnce) {
    const some = needed.slice(at, at + rangesAtOnce)
    const headsOfSome = await headsOf(reading, companyId, some)
    for (const [place, range] of some.entries()) heads.set(nameOf(range), headsOfSome[place]!)
  }
  return leaves.map(({ index, hash }, place) => {
    const hashes = rangesOf[place]!.map((range) => heads.get(nameOf(range))!.toString('base64'))
    return { index, hashes, head: headFrom(Buffer.from(hash, 'base64'), index, whole, hashes) }
  })
}

/** Return the head that the log had at a position, if the present checkpoint continues it. @throws Refusal 409 `history-diverged` */
export async function headAt(
  reading: Reading,
  companyId: string,
  position: number,
  present: SignedCheckpoint,
): Promise<{ readonly size: number; readonly root: Buffer }> {
  const [event] = await reading.query<FoundLastEvent>(findLastEventAt(reading, companyId, position))
  if (!event?.last) throw notFound('event-not-found', String(position))
  const { leaves } = await leavesOf(reading, companyId, [event.last.eventId])
  const size = leaves[0]!.index + 1
  const all = { from: 0, to: present.size }
  const heads = headsAround(size, all, await headsOf(reading, companyId, rangesAround(size, all)))
  if (!heads.whole.equals(present.root)) throw otherHistory(present.size)
  return { size, root: heads.older }
}

interface Leaf {
  readonly index: number
  /** In base64. */
  readonly hash: string
}

/** Return the entries of some events, in their order, and the size of the log. @throws Refusal 404 `event-not-found` */
export async function leavesOf(
  reading: Reading,
  companyId: string,
  eventIds: readonly string[],
): Promise<{ readonly leaves: readonly Leaf[]; readonly size: number }> {
  const rows = await reading.query<Leaf & { readonly eventId: string; readonly size: number }>(
    listLeaves(reading, companyId, eventIds),
  )
  const byEvent = new Map(rows.map((leaf) => [leaf.eventId, leaf]))
  const leaves = eventIds.map((eventId) => {
    const leaf = byEvent.get(eventId)
    if (!leaf) throw notFound('event-not-found', eventId)
    return leaf
  })
  return { leaves, size: rows[0]?.size ?? 0 }
}

/** Return the head of each range. @throws Refusal 503 `read-model-behind` when hashes are missing */
export async function headsOf(
  reading: Reading,
  companyId: string,
  ranges: readonly Range[],
): Promise<Buffer[]> {
  const runs = ranges.map(runsOf)
  const hashes = await hashesOf(reading, companyId, runs.flat())
  return runs.map((ofRange) => headOfRuns(hashes.splice(0, ofRange.length)))
}

/** Return the hashes of each run, one after the other. @throws Refusal 503 `read-model-behind` when some are missing */
export async function hashesOf(
  reading: Reading,
  companyId: string,
  runs: ReturnType<typeof runsOf>,
): Promise<Buffer[]> {
  if (runs.length === 0) return []
  const rows = await reading.query<{ hashes: string | null }>(listHashes(reading, companyId, runs))
  return rows.map(({ hashes }, index) => {
    const run = hashes?.split(',') ?? []
    if (run.length < runs[index]!.count) throw behindRefusal()
    const bytes = Buffer.alloc(run.length * hashBytes)
    for (const [place, hash] of run.entries()) bytes.write(hash, place * hashBytes, 'base64')
    return bytes
  })
}

export function behindRefusal(): Refusal {
  return new Refusal('read-model-behind', 'The log does not have the newest events yet. Try again later.')
}

export function otherHistory(size: number): Refusal {
  return new Refusal(
    'history-diverged',
    `The hashes in the read models do not give the checkpoint of ${countText(size, 'event')}, so there is no proof. Ask the operator to find out who has changed the stores.`,
  )
}

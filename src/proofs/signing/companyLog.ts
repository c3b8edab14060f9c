import { awaitLater } from '../../lib/awaitLater.ts'
import { log } from '../../projections/audit/log.ts'
import type { Reader, Reading } from '../../projections/engine/reading/reader.ts'
import type { Positions } from '../../projections/engine/reading/waitFor.ts'
import type { EventStore } from '../../stores/eventStore.ts'
import { consistencyRanges, type Range } from '../merkleLog/proofs.ts'
import { type Anchor, listAnchors } from './anchors.ts'
import { checkpointNote, originOf } from './checkpoint.ts'
import {
  behindRefusal,
  type HeadedProof,
  headAt,
  headsOf,
  type InclusionProof,
  inclusionProofs,
  type LogPart,
  leavesOf,
  otherHistory,
} from './logReading.ts'
import { sizeOf } from './logSize.ts'
import { createSharedSigning } from './sharedSigning.ts'
import {
  isSignedBy,
  readCheckpoint,
  type SignedCheckpoint,
  type SignerOptions,
  signCheckpoint,
} from './signer.ts'
import { readTile, type TileName } from './tiles.ts'

/** The log of a company, in the formats of C2SP, for programs that check it without an export. */
export interface CompanyLog {
  /**
   * Return a signed checkpoint that is at most 60 s old and covers the position, if one is given.
   * @throws Refusal 409 `history-diverged`, 503 `signing-key-missing`, `signing-key-differs`, `too-many-large-reads`
   */
  checkpoint(companyId: string, position: number | undefined): Promise<LogPart<string>>
  /**
   * Sign a checkpoint, and prove that it covers an event (C2SP tlog-proof). For an unknown event nothing is signed.
   * @throws Refusal 404 `event-not-found`, 409 `history-diverged`, 503 `signing-key-missing`, `signing-key-differs`,
   * `too-many-large-reads`, `read-model-behind`
   */
  proof(companyId: string, eventId: string): Promise<LogPart<string>>
  /**
   * Sign a checkpoint that covers the events up to a position, for the proofs of many events.
   * @throws Refusal as `proof` does, but for an unknown event
   */
  proofs(companyId: string, upTo: number): Promise<Proofs>
  /**
   * Sign the checkpoint that the log had at a position, for the proofs of many events. The same position always gives
   * the same checkpoint. It is signed only if the present log, which the signer has read itself, continues it.
   * @throws Refusal as `proofs` does
   */
  proofsAt(companyId: string, position: number): Promise<Proofs>
  /** Prove that the log continues its first `from` entries; undefined when it has fewer than `to` entries. */
  consistency(companyId: string, sizes: Range): Promise<LogPart<readonly string[] | undefined>>
  /** Return the number of events in the log, and the anchors, the one that covers most events first. */
  anchors(
    companyId: string,
  ): Promise<LogPart<{ readonly events: number; readonly anchors: readonly Anchor[] }>>
  /** Return a tile, or a bundle of entries. @throws Refusal 404 `tile-not-found`, 409 `history-diverged` */
  tile(companyId: string, name: TileName): Promise<LogPart<Buffer>>
}

/** A checkpoint, and the proofs that it covers events. */
export interface Proofs {
  readonly checkpoint: SignedCheckpoint
  /**
   * Prove that the checkpoint covers these events, in their order.
   * @throws Refusal 404 `event-not-found`, 409 `history-diverged`, 503 `read-model-behind`
   */
  inclusionOf(eventIds: readonly string[]): Promise<readonly InclusionProof[]>
}

interface CompanyLogOptions extends SignerOptions {
  readonly eventStore: Pick<EventStore, 'readAllInPortions' | 'readAllFrom' | 'eventAt'>
  readonly reader: Pick<Reader, 'read'>
  readonly positions: Pick<Positions, 'waitFor'>
}

const caughtUpWithinMs = 5_000

export function createCompanyLog(options: CompanyLogOptions): CompanyLog {
  const { reader, positions, storeId, keys } = options
  const shared = createSharedSigning((companyId) => signCheckpoint(options, companyId, 'continue'))
  const requireCaughtUp = async (checkpoint: SignedCheckpoint) => {
    if (!(await positions.waitFor([log], checkpoint.position, caughtUpWithinMs))) throw behindRefusal()
    return checkpoint
  }
  const signUpTo = async (companyId: string, covers: (checkpoint: SignedCheckpoint) => boolean) =>
    requireCaughtUp(await shared.sign(companyId, covers))
  return {
    async checkpoint(companyId, position = 0) {
      const fresh = await freshCheckpoint(options, companyId, position)
      if (fresh) return fresh
      const signed = await shared.sign(companyId, (one) => one.position >= position)
      return { value: signed.note, position: signed.position }
    },

    async proof(companyId, eventId) {
      let signing: Promise<SignedCheckpoint> | undefined
      const { value: present, position } = await reader.read([log], async (reading) => {
        const { leaves, size } = await leavesOf(reading, companyId, [eventId])
        // The hashes are read meanwhile. A read that is repeated signs nothing more.
        signing ??= awaitLater(shared.sign(companyId, (checkpoint) => checkpoint.size > leaves[0]!.index))
        return { leaves, size, proofs: await inclusionProofs(reading, companyId, leaves, size) }
      })
      const checkpoint = await signing!
      const isPresent = checkpoint.size === present.size
      if (isPresent) return { value: tlogProof(present.proofs[0]!, checkpoint), position }
      await requireCaughtUp(checkpoint)
      return reader.read([log], async (reading) => {
        const [proof] = await inclusionProofs(reading, companyId, present.leaves, checkpoint.size)
        return tlogProof(proof!, checkpoint)
      })
    },

    async proofs(companyId, upTo) {
      return proofsOf(reader, companyId, await signUpTo(companyId, ({ position }) => position >= upTo))
    },

    async proofsAt(companyId, position) {
      const present = await signUpTo(companyId, (checkpoint) => checkpoint.position >= position)
      const { value: head } = await reader.read([log], (reading) =>
        headAt(reading, companyId, position, present),
      )
      const note = await checkpointNote(originOf(storeId, companyId), head, await keys.own())
      return proofsOf(reader, companyId, { ...head, note, position })
    },

    consistency: (companyId, sizes) =>
      reader.read([log], (reading) => consistencyOf(reading, companyId, sizes)),

    async anchors(companyId) {
      const anchors = (await listAnchors(options, companyId)).get(companyId) ?? []
      const { value, position } = await reader.read([log], (reading) => sizeOf(reading, companyId))
      return { value: { events: value, anchors }, position }
    },

    tile: (companyId, name) => readTile(options, companyId, name),
  }
}

/** Return the hashes that prove one size of the log from another; undefined if the log is not that long. */
async function consistencyOf(reading: Reading, companyId: string, sizes: Range) {
  if (sizes.to > (await sizeOf(reading, companyId))) return undefined
  const heads = await headsOf(reading, companyId, consistencyRanges(sizes))
  return heads.map((head) => head.toString('base64'))
}

/** Return the last checkpoint, if this key has signed it, it covers the position, and it is fresh. */
async function freshCheckpoint(
  options: CompanyLogOptions,
  companyId: string,
  covered: number,
): Promise<LogPart<string> | undefined> {
  const { storeId, keys } = options
  const [key, last] = await Promise.all([keys.own(), readCheckpoint(options, companyId)])
  if (!last?.isFresh || !isSignedBy({ storeId, key }, companyId, last)) return undefined
  const { note, position } = last
  return position !== null && position >= covered ? { value: note, position } : undefined
}

function proofsOf(
  reader: CompanyLogOptions['reader'],
  companyId: string,
  checkpoint: SignedCheckpoint,
): Proofs {
  return {
    checkpoint,
    async inclusionOf(eventIds) {
      const { value } = await reader.read([log], async (reading) => {
        const { leaves } = await leavesOf(reading, companyId, eventIds)
        return inclusionProofs(reading, companyId, leaves, checkpoint.size)
      })
      return value.map((proof) => checkProof(proof, checkpoint))
    },
  }
}

/** @throws Refusal 409 `history-diverged` */
function tlogProof(proof: HeadedProof, checkpoint: SignedCheckpoint): string {
  const { index, hashes } = checkProof(proof, checkpoint)
  return `c2sp.org/tlog-proof@v1\nindex ${index}\n${hashes.map((hash) => `${hash}\n`).join('')}\n${checkpoint.note}`
}

/** @throws Refusal 409 `history-diverged` when the proof does not lead to the checkpoint */
function checkProof({ index, hashes, head }: HeadedProof, { size, root }: SignedCheckpoint): InclusionProof {
  if (!head.equals(root)) throw otherHistory(size)
  return { index, hashes }
}

import type { Readable } from 'node:stream'
import { slotsFor } from '../../admission/kinds.ts'
import { createSlots } from '../../admission/slots.ts'
import { listKeptNames, persons } from '../../projections/company/persons.ts'
import type { Reader } from '../../projections/engine/reading/reader.ts'
import type { EventStore } from '../../stores/eventStore.ts'
import type { Postgres } from '../../stores/postgres/postgres.ts'
import { lineOf } from '../merkleLog/entry.ts'
import { keepAnchor, lastTimestamp } from './anchors.ts'
import type { Keys } from './announcedKeys.ts'
import { originOf } from './checkpoint.ts'
import { eventsOfCompany } from './events.ts'
import { type ExportParts, type KeptName, streamOf, zipExport } from './export.ts'
import { type SignedCheckpoint, signCheckpoint } from './signer.ts'
import { type PublishedKey, publishedKey } from './signingKey.ts'

/** The history of a company for those who check it elsewhere. */
export interface Exports {
  /**
   * Sign a checkpoint, and write the export that it covers.
   * @throws Refusal 409 `history-diverged`, 503 `signing-key-missing`, `signing-key-differs`, `too-many-large-reads`; StoreUnavailable,
   * PostgresUnavailable
   */
  zip(companyId: string, send: Send): Promise<void>
  /**
   * Sign a checkpoint, and return the export that it covers, as part of a larger one. It waits for no other export.
   * @throws Refusal as `zip` does; StoreUnavailable, PostgresUnavailable
   */
  sign(companyId: string): Promise<SignedExport>
  /** Write the lines of all events. @throws Refusal 503 `too-many-large-reads`; StoreUnavailable */
  lines(companyId: string, send: Send): Promise<void>
  /** Return the keys by which checkpoints of the company are signed. @throws Refusal 503 `signing-key-missing` */
  keys(companyId: string): Promise<readonly PublishedKey[]>
}

/** An export that is signed, but not written yet. */
export type SignedExport = Omit<ExportParts, 'checkpoint'> & { readonly checkpoint: SignedCheckpoint }

/** Send the content, which holds every event of the company up to the position. */
export type Send = (position: number, content: Readable) => Promise<void>

interface ExportsOptions {
  readonly eventStore: Pick<EventStore, 'readAllInPortions' | 'readAllFrom' | 'eventAt' | 'last'>
  readonly postgres: Pick<Postgres, 'query'>
  readonly reader: Pick<Reader, 'read'>
  readonly storeId: string
  readonly keys: Keys
}

export function createExports({ eventStore, postgres, reader, storeId, keys }: ExportsOptions): Exports {
  const slots = createSlots(slotsFor.exports)
  const publishedFor = async (companyId: string) => {
    const origin = originOf(storeId, companyId)
    return (await keys.list()).map((key) => publishedKey(key, origin))
  }
  const signer = { eventStore, postgres, reader, storeId, keys }
  const sign = async (companyId: string): Promise<SignedExport> => {
    const published = await publishedFor(companyId)
    const checkpoint = await signCheckpoint(signer, companyId, 'reread')
    const { value: names } = await reader.read([persons], (reading) =>
      reading.query<KeptName>(listKeptNames(reading, companyId)),
    )
    const events = eventsOfCompany(signer, companyId)
    const timestamp = await lastTimestamp(signer, companyId)
    return { checkpoint, keys: published, events, names, timestamp }
  }
  return {
    keys: publishedFor,
    sign,

    async zip(companyId, send) {
      // A service without a key refuses at once, before the turn.
      await keys.own()
      await publishedFor(companyId)
      await slots.run(companyId, async () => {
        const parts = await sign(companyId)
        const content = zipExport(parts)
        await send(parts.checkpoint.position, content)
        // A caller who breaks off the download has no checkpoint.
        if (content.readableEnded) await keepAnchor(signer, 'export', { companyId, ...parts.checkpoint })
      })
    },

    lines: (companyId, send) =>
      slots.run(companyId, async () => {
        const position = (await eventStore.last())?.position ?? 0
        await send(position, streamOf(linesUpTo(position, companyId)))
      }),
  }

  async function* linesUpTo(position: number, companyId: string): AsyncGenerator<string> {
    for await (const event of eventsOfCompany(signer, companyId)) {
      if (event.position > position) return
      yield `${lineOf(event)}\n`
    }
  }
}

import { Refusal } from '../domain/refusal.ts'
import type { EventStore } from '../eventStore.ts'
import type { Postgres } from '../postgres.ts'
import { checkpointNote, originOf } from './checkpoint.ts'
import { eventsOfCompany } from './events.ts'
import { entryOf } from './line.ts'
import type { SigningKey } from './signingKey.ts'
import { createTree } from './tree.ts'

export interface SignerOptions {
  readonly eventStore: Pick<EventStore, 'readAllInPortions'>
  readonly postgres: Pick<Postgres, 'query'>
  readonly storeId: string
  readonly key: SigningKey
}

export interface SignedCheckpoint {
  readonly size: number
  readonly root: Buffer
  readonly note: string
  /** The position of the last event that it covers; 0 when there is none. */
  readonly position: number
}

interface Last {
  readonly size: number
  readonly root: string
}

/**
 * Sign a checkpoint of a company's whole history. The history is read again from its first event each time, because
 * only that finds an edit of an old event. The last checkpoint stays in PostgreSQL, and nothing is signed that
 * contradicts it.
 * @throws Refusal 409 `history-diverged`; StoreUnavailable, PostgresUnavailable
 */
export async function signCheckpoint(options: SignerOptions, companyId: string): Promise<SignedCheckpoint> {
  const { postgres, storeId, key } = options
  for (;;) {
    const last = await lastCheckpoint(options, companyId)
    const { position, ...head } = await headOf(options, companyId, last)
    const note = checkpointNote(originOf(storeId, companyId), head, key)
    const kept = await postgres.query(keepSql, [
      ...[storeId, companyId, head.size, head.root.toString('base64'), note],
      last?.size ?? null,
    ])
    // Otherwise another process has signed meanwhile. The next turn compares with that checkpoint.
    if (kept.length > 0) return { ...head, note, position }
  }
}

async function lastCheckpoint(
  { postgres, storeId }: SignerOptions,
  companyId: string,
): Promise<Last | undefined> {
  const [last] = await postgres.query<Last>(
    'SELECT size, root FROM heatmark_local.log_checkpoint WHERE store_id = $1 AND company_id = $2',
    [storeId, companyId],
  )
  return last
}

async function headOf(
  { eventStore }: SignerOptions,
  companyId: string,
  last: Last | undefined,
): Promise<Omit<SignedCheckpoint, 'note'>> {
  const tree = createTree()
  let position = 0
  const compare = () => {
    if (tree.size === last?.size && tree.root().toString('base64') !== last.root) throw diverged(last)
  }
  compare()
  for await (const event of eventsOfCompany(eventStore, companyId)) {
    tree.add(entryOf(event))
    position = event.position
    compare()
  }
  if (last && tree.size < last.size) throw diverged(last)
  return { size: tree.size, root: tree.root(), position }
}

function diverged({ size }: Last): Refusal {
  return new Refusal(
    'history-diverged',
    `The events of the company are no longer the ${size} that the last checkpoint covers, so no checkpoint is signed. Ask the operator to find out who has changed the event store.`,
  )
}

/** The row changes only if it still is the one that the new head was compared with. */
const keepSql = `
  INSERT INTO heatmark_local.log_checkpoint AS last (store_id, company_id, size, root, note)
  VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (store_id, company_id) DO UPDATE
  SET size = EXCLUDED.size, root = EXCLUDED.root, note = EXCLUDED.note, signed_at = now()
  WHERE last.size = $6
  RETURNING size`

import { storeIdOf } from '../../../projections/engine/schema/store.ts'
import { type Anchor, listAnchors } from '../../../proofs/signing/anchors.ts'
import { type Reread, rereadAll } from '../../../proofs/signing/reread.ts'
import { readCheckpoints } from '../../../proofs/signing/signer.ts'
import { withProgress } from '../../progress.ts'
import type { Output } from '../output.ts'
import { NoReadModels, unusedStore } from '../readModels.ts'
import type { Stores } from '../stores.ts'

/**
 * Read the history of every company again, and compare it with its last checkpoint. Return false when one was changed.
 * @throws Failure `no-read-models` for a store that no service has used
 */
export async function checkHistories({ eventStore, postgres }: Stores, output: Output): Promise<boolean> {
  const storeId = await storeIdOf(eventStore)
  if (!storeId) throw new NoReadModels(unusedStore)
  const checkpoints = await readCheckpoints({ postgres, storeId })
  const total = (await eventStore.last())?.position ?? 0
  const { histories } = await withProgress(
    output.progress,
    { label: 'histories', total },
    (step) => rereadAll(eventStore, checkpoints, (position) => step(position, Math.max(position, total))),
    (read) => `${read.histories.length} read`,
  )
  const anchors = await listAnchors({ postgres, storeId })
  for (const history of histories) {
    const { companyId, rereading, last } = history
    const [anchor] = anchors.get(companyId) ?? []
    const record = {
      companyId,
      events: rereading.size,
      checkpoint: last?.size ?? null,
      fault: rereading.fault() ?? null,
      anchor: anchor ?? null,
    }
    output.record(
      record,
      `${historyText(history)}${rereading.fault() === undefined ? anchorText(anchor, rereading.size) : ''}`,
    )
  }
  return histories.every(({ rereading }) => rereading.fault() === undefined)
}

function historyText({ companyId, rereading, last }: Reread): string {
  const fault = rereading.fault()
  if (fault !== undefined) return `${companyId}: CHANGED: ${fault}`
  const events = `${rereading.size} ${rereading.size === 1 ? 'event' : 'events'}`
  if (!last) return `${companyId}: ${events}, and no checkpoint yet to compare them with`
  const since = rereading.size - last.size
  return `${companyId}: ${events}, unchanged since the last checkpoint${since > 0 ? `, which covers all but the last ${since}` : ''}`
}

function anchorText(anchor: Anchor | undefined, size: number): string {
  if (!anchor) return '; not anchored: the service knows of no checkpoint elsewhere'
  const by = { export: 'an export', folder: 'a file in ANCHOR_FOLDER', timestamp: 'a timestamp' }[anchor.kind]
  const rest = size - anchor.size
  const when = `${anchor.anchoredAt.slice(0, 16).replace('T', ' ')} UTC`
  return `; anchored up to event ${anchor.size} by ${by} of ${when}${rest > 0 ? `, which covers all but the last ${rest}` : ''}`
}

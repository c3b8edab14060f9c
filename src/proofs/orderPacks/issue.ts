import type { CommandContext, Executor } from '../../commands/executor/command.ts'
import { runWorkflow } from '../../commands/executor/workflow.ts'
import { issuePack } from '../../commands/orders/orderPacks.ts'
import { incomingKey, objectKey } from '../../documents/objects.ts'
import type { Documents } from '../../documents/place.ts'
import { plainName } from '../../documents/plainName.ts'
import { putWritten } from '../../documents/putWritten.ts'
import { documentIdOf } from '../../domain/documents/document.ts'
import { notFound } from '../../domain/kernel/refusal.ts'
import { type PackRequest, packIdOf } from '../../domain/orders/orderPacks.ts'
import { documents as documentRows } from '../../projections/documents/documents.ts'
import type { Reader } from '../../projections/engine/reading/reader.ts'
import type { Positions } from '../../projections/engine/reading/waitFor.ts'
import type { ReadModels } from '../../projections/engine/schema/readModels.ts'
import type { EventStore } from '../../stores/eventStore.ts'
import type { CompanyLog } from '../signing/companyLog.ts'
import type { Exports } from '../signing/exports.ts'
import { readPackContent } from './facts.ts'
import { writePack } from './pack.ts'

/** Issue the pack of an order: read its facts, write the ZIP file as a new object, and record it. */

interface IssueOptions {
  readonly reader: Pick<Reader, 'read'>
  readonly readModels: ReadModels
  readonly eventStore: Pick<EventStore, 'readStream' | 'eventAt'>
  readonly companyLog: Pick<CompanyLog, 'proofs' | 'proofsAt'>
  readonly exports: Pick<Exports, 'keys'>
  readonly documents: Pick<Documents, 'objects'>
  readonly executor: Executor
  readonly positions: Pick<Positions, 'waitFor'>
  readonly newId: () => string
}

/** How long the run waits until the read models show the pack. */
const shownWithinMs = 5_000

/** The result of the run. */
interface IssuedPack {
  readonly orderId: string
  readonly packId: string
  readonly documentId: string
  readonly sha256: string
  readonly bytes: number
  readonly cleared: boolean
}

interface IssueTools {
  readonly signal: AbortSignal
  readonly onProgress: (progress: number) => void
  /** Called before the pack is recorded. @throws Refusal 403 when its author may no longer issue it */
  readonly requireAccess: () => Promise<void>
}

/**
 * @throws Refusal 403, 404 `order-not-found`, 409 `history-diverged`, 503; Failure `objects-unavailable`,
 * `objects-full`; StoreUnavailable, PostgresUnavailable; the reason of `signal`
 */
export async function issueOrderPack(
  options: IssueOptions,
  request: PackRequest,
  context: CommandContext,
  { signal, onProgress, requireAccess }: IssueTools,
): Promise<IssuedPack> {
  const { eventStore, companyLog, exports, executor, positions, newId } = options
  const { asOf, ...scope } = request
  const { companyId, orderId } = scope
  const objects = await options.documents.objects()
  const content = await readPackContent(options, request)
  if (!content) throw notFound('order-not-found', orderId)
  const proofs = await (asOf === null
    ? companyLog.proofs(companyId, content.position)
    : companyLog.proofsAt(companyId, asOf))
  const keys = await exports.keys(companyId)
  const at = await timeAt(eventStore, content.position)
  const zip = writePack({ content, at, proofs, keys, eventStore, objects, onProgress })
  const uploadId = newId()
  const { sha256, bytes } = await putWritten(objects, incomingKey(uploadId), zip, signal)
  const pack = {
    ...scope,
    packId: packIdOf(orderId, sha256),
    documentId: documentIdOf(companyId, sha256),
    sha256,
    bytes,
    fileName: `Order-pack-${plainName(content.order.orderNumber)}.zip`,
    position: content.position,
    checkpointSize: proofs.checkpoint.size,
    cleared: content.cleared,
  }
  const key = objectKey({ companyId, sha256, uploadId })
  const workflow = issuePack(pack, uploadId, {
    keep: () => objects.move(incomingKey(uploadId), key),
    drop: () => objects.delete(key),
  })
  const record = async () => {
    await requireAccess()
    return runWorkflow(workflow, { ...executor, newId }, context)
  }
  const { body, position } = await record().catch(async (error) => {
    // Nothing is left of the file unless it was kept. If this deletion fails, a sweep removes the object.
    await objects.delete(incomingKey(uploadId)).catch(() => {})
    throw error
  })
  await positions.waitFor([documentRows], position, shownWithinMs)
  const { packId, documentId, cleared } = body
  return { orderId, packId, documentId, sha256, bytes, cleared }
}

/** The time of the event at a position, so that the same position gives the same pack. */
async function timeAt(eventStore: Pick<EventStore, 'eventAt'>, position: number): Promise<Date> {
  const event = await eventStore.eventAt(position)
  const { occurredAt } = (event?.metadata ?? {}) as { readonly occurredAt?: string }
  const at = new Date(occurredAt ?? 0)
  return Number.isNaN(at.getTime()) ? new Date(0) : at
}

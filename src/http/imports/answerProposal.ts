import { incomingKey } from '../../documents/objects.ts'
import { notFound } from '../../domain/kernel/refusal.ts'
import { streamBody } from '../kit/lists/streamList.ts'
import type { Exchange } from '../kit/routing/route.ts'
import type { Services } from '../kit/services.ts'
import { type Import, proposalOf } from './intake/proposedImport.ts'
import { requireKind } from './kindAccess.ts'

/** The proposal of an import as it is now: rows that are recorded already are unchanged. */

export async function answerImport(exchange: Exchange, services: Services): Promise<void> {
  const { companyId, importId } = exchange.params as { companyId: string; importId: string }
  const proposal = await services.imports.find(companyId, importId)
  if (!proposal) throw notFound('import-not-found', importId)
  await requireKind(exchange, proposal.kind)
  await answerProposal(proposal, exchange, services)
}

/**
 * A client that reads slowly must not hold the proposal in memory.
 * @param before called when the proposal is made, before it is sent
 */
export async function answerProposal(
  proposed: Import,
  exchange: Exchange,
  services: Services,
  before = async () => {},
): Promise<void> {
  const { importId } = proposed
  const { res } = exchange
  const objects = await services.documents.objects()
  const rowsKey = incomingKey(services.newId())
  try {
    const { hash, notTaken } = await proposalOf(proposed, exchange, services, (rows) =>
      objects.put(rowsKey, rows),
    )
    await before()
    const rows = (await objects.get(rowsKey))!.content
    const writeParts = async function* () {
      yield `{"importId":"${importId}","proposal":"${hash}","notTaken":${JSON.stringify(notTaken)},"rows":[`
      yield* rows as AsyncIterable<Buffer>
      yield ']}'
    }
    res.statusCode = 200
    res.setHeader('Content-Type', 'application/json')
    res.setHeader('Cache-Control', 'no-store')
    await streamBody(res, writeParts())
  } finally {
    // If the deletion fails, a sweep removes the object.
    await objects.delete(rowsKey).catch(() => {})
  }
}

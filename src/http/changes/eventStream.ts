import type { Response } from 'express'
import type { CloudEvent } from '../../changes/cloudEvents.ts'
import type { ChangePage, Wanted } from '../../changes/readChanges.ts'
import { Refusal } from '../../domain/kernel/refusal.ts'
import { watchTaking } from '../kit/lists/streamList.ts'
import { Problem } from '../kit/problem.ts'
import type { Exchange } from '../kit/routing/route.ts'
import type { Services } from '../kit/services.ts'
import { type CompanyWatch, watchCompany } from './companyWatch.ts'

/** The change feed as server-sent events. https://html.spec.whatwg.org/multipage/server-sent-events.html */

/** Proxies close connections that are silent for half a minute. */
const commentEveryMs = 15_000
/** A client that has lost its connection comes back after this time. */
const retryMs = 2_000

/**
 * Send changes as they come, until the client leaves, loses its access, or the service stops. What refuses the first read
 * is answered as a problem.
 * @throws Refusal 503 `too-busy` when too many streams are open
 */
export async function streamChanges(exchange: Exchange, services: Services, wanted: Wanted): Promise<void> {
  const { res, caller } = exchange
  const over = overFor(exchange, services)
  const leave = await services.changeStreams.take(caller!.id)
  const watch = watchCompany(services.positions, services.clock, wanted.companyId)
  const read = async (after: number) => {
    const page = await services.readChanges({ ...wanted, after })
    await exchange.requireAccess()
    return page
  }
  try {
    await watch.begin(over)
    const first = await read(wanted.after)
    begin(res)
    if (res.req.method !== 'HEAD') await send(res, over, watch, read, first)
    res.end()
  } finally {
    watch.end()
    leave()
  }
}

/** Return a signal that is aborted when the client leaves, or the service stops. */
export function overFor({ res }: Pick<Exchange, 'res'>, { closing }: Pick<Services, 'closing'>): AbortSignal {
  const gone = new AbortController()
  res.once('close', () => gone.abort())
  return AbortSignal.any([closing, gone.signal])
}

function begin(res: Response): void {
  res.writeHead(200, {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'private, no-store',
    // Without this header, nginx collects the blocks before it sends them.
    'X-Accel-Buffering': 'no',
  })
  res.flushHeaders()
}

async function send(
  res: Response,
  over: AbortSignal,
  watch: CompanyWatch,
  read: (after: number) => Promise<ChangePage>,
  first: ChangePage,
): Promise<void> {
  const taken = watchTaking(res)
  if (!(await taken(`retry: ${retryMs}\n\n`))) return
  for (let page = first; !over.aborted; ) {
    if (!(await taken(bytesOf(page)))) return
    const isDue = page.next < page.position || (await watch.changed(commentEveryMs, over))
    if (!isDue && !(await taken(':\n\n'))) return
    await watch.begin(over)
    if (over.aborted) return
    try {
      page = await read(page.next)
    } catch (error) {
      // The client comes back, and is answered why.
      if (error instanceof Refusal || error instanceof Problem) return
      throw error
    }
  }
}

const serialised = new WeakMap<ChangePage, Buffer>()

/** Readers who share a read share its bytes. */
function bytesOf(page: ChangePage): Buffer {
  const bytes = serialised.get(page) ?? Buffer.from(blocksOf(page))
  serialised.set(page, bytes)
  return bytes
}

/**
 * Only the last change of an event has its position as id, so that a stream that breaks off between them sends all of them
 * again. The last block is an id alone: it moves the place of a reader who wanted none of the events.
 */
export function blocksOf({ changes, next }: Pick<ChangePage, 'changes' | 'next'>): string {
  const isLast = (one: CloudEvent, index: number) => changes[index + 1]?.position !== one.position
  const blocks = changes.map((one, index) =>
    [...(isLast(one, index) ? [`id: ${one.position}`] : []), `data: ${JSON.stringify(one)}`, '', ''].join(
      '\n',
    ),
  )
  return `${blocks.join('')}id: ${next}\n\n`
}

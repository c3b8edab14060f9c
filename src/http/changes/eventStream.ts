import { setTimeout as sleep } from 'node:timers/promises'
import type { Response } from 'express'
import { Refusal } from '../../domain/kernel/refusal.ts'
import { ifInTime } from '../../lib/inTime.ts'
import { watchTaking } from '../kit/lists/streamList.ts'
import { Problem } from '../kit/problem.ts'
import type { Exchange } from '../kit/routing/route.ts'
import type { Services } from '../kit/services.ts'
import type { CloudEvent } from './cloudEvents.ts'
import { type ChangePage, changeReads, pauseMs, readChanges, type Wanted } from './readChanges.ts'

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
  const leave = await services.changeStreams.take(caller!.id)
  try {
    const reader = services.reader.ofCompany(wanted.companyId)
    const read = (after: number) => readChanges(reader, { ...wanted, after })
    const first = await read(wanted.after)
    await exchange.requireAccess()
    begin(res)
    if (res.req.method !== 'HEAD') await send(exchange, services, read, first)
    res.end()
  } finally {
    leave()
  }
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
  { res, requireAccess }: Exchange,
  { positions, closing }: Services,
  read: (after: number) => Promise<ChangePage>,
  first: ChangePage,
): Promise<void> {
  const taken = watchTaking(res)
  if (!(await taken(`retry: ${retryMs}\n\n`))) return
  for (let page = first; !closing.aborted; ) {
    if (!(await taken(blocksOf(page)))) return
    if (page.next >= page.position) {
      const moved = positions.waitFor(changeReads, page.position + 1, commentEveryMs)
      if (!(await ifInTime(moved, commentEveryMs, closing)) && !(await taken(':\n\n'))) return
    }
    await sleep(pauseMs)
    try {
      page = await read(page.next)
      await requireAccess()
    } catch (error) {
      // The client comes back, and is answered why.
      if (error instanceof Refusal || error instanceof Problem) return
      throw error
    }
  }
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

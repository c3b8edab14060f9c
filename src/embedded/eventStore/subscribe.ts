import streams from '@eventstore/db-client/generated/streams_pb.js'
import { awaitLater } from '../../lib/awaitLater.ts'
import { consumerTooSlow, unreadable } from './faults.ts'
import { compileFilter } from './filter.ts'
import type { LiveEvent, LiveEvents } from './liveEvents.ts'
import type { Outlet } from './outlet.ts'
import type { ReadPage } from './read.ts'
import type { ReadOptions } from './requests.ts'
import { createFrameWriter, takeFrames, writeCheckpoint } from './storage/frames.ts'
import type { Page, ReadRequest } from './storage/types.ts'

export interface Subscriptions {
  readPage: ReadPage
  liveEvents: LiveEvents
  /** Events that a live subscriber may fall behind before it is dropped. */
  liveBuffer: number
  newId: () => string
}

const PAGE = Number.MAX_SAFE_INTEGER

/**
 * Answer a subscription to `$all`: from the file until it has caught up, then from the live events. It goes live in the
 * same tick in which it finds that it has read everything that was published.
 */
export async function subscribe(options: ReadOptions, subscriptions: Subscriptions, outlet: Outlet) {
  outlet.send(encodeConfirmation(subscriptions.newId()))
  let request: ReadRequest = {
    ...options,
    from: firstOf(options.from),
    direction: 'forwards',
    limit: PAGE,
    // The event at the position where a subscription starts is not sent, but a real server counts it.
    considered: typeof options.from === 'number' && options.from > 0 ? 1 : 0,
  }
  let coming = awaitLater(subscriptions.readPage(request))
  try {
    while (!outlet.isOver()) {
      const page = await coming
      request = { ...request, from: page.next, considered: page.considered }
      if (!page.end) coming = awaitLater(subscriptions.readPage(request))
      await outlet.sendAll(page.frames)
      if (!page.end) continue
      if (page.head >= subscriptions.liveEvents.head()) return goLive(options, page, subscriptions, outlet)
      coming = awaitLater(subscriptions.readPage(request))
    }
  } catch (error) {
    outlet.fail(unreadable((error as Error).message))
  }
}

/** The first position to send: a subscription starts after the event that it names. */
function firstOf(from: ReadOptions['from']): number | 'end' {
  if (from === 'end') return from
  return from === 'start' ? 1 : from + 1
}

function goLive(
  options: ReadOptions,
  page: Page,
  { liveEvents, liveBuffer }: Subscriptions,
  outlet: Outlet,
): void {
  const { checkpointEvery } = options
  const isWanted = compileFilter(options.filter)
  const caughtUpAt = page.head
  let considered = page.considered
  outlet.send(CAUGHT_UP)
  if (outlet.isOver()) return

  const stop = liveEvents.listen((events) => {
    // Measured before this commit is added, so that one large commit drops no subscriber that kept up.
    if (outlet.unsent() > liveBuffer) return outlet.fail(consumerTooSlow())
    for (const event of events) deliver(event)
  })
  outlet.onOver(stop)

  function deliver(event: LiveEvent) {
    if (event.position <= caughtUpAt) return
    if (isWanted(event.type)) outlet.send(event.frame)
    considered++
    if (checkpointEvery > 0 && considered % checkpointEvery === 0)
      outlet.send(encodeCheckpoint(event.position))
  }
}

const CAUGHT_UP = caughtUpMessage()

function caughtUpMessage(): Uint8Array {
  const response = new streams.ReadResp()
  response.setCaughtUp(new streams.ReadResp.CaughtUp())
  return response.serializeBinary()
}

function encodeConfirmation(id: string): Uint8Array {
  const confirmed = new streams.ReadResp.SubscriptionConfirmation()
  confirmed.setSubscriptionId(id)
  const response = new streams.ReadResp()
  response.setConfirmation(confirmed)
  return response.serializeBinary()
}

function encodeCheckpoint(position: number): Uint8Array {
  const writer = createFrameWriter(32)
  writeCheckpoint(writer, position)
  return takeFrames(writer).bytes
}

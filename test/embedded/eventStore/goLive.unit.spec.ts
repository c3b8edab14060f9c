import streams from '@eventstore/db-client/generated/streams_pb.js'
import { expect, it } from 'vitest'
import { createLiveEvents } from '../../../src/embedded/eventStore/liveEvents.ts'
import type { Outlet } from '../../../src/embedded/eventStore/outlet.ts'
import { createFrameWriter, takeFrames, writeEvent } from '../../../src/embedded/eventStore/storage/frames.ts'
import type { Commit, Page, ReadRequest } from '../../../src/embedded/eventStore/storage/types.ts'
import { subscribe } from '../../../src/embedded/eventStore/subscribe.ts'
import { until } from '../../support/until.ts'

// The change from the file to the liveEvents, which no test with a real clock can hit: the reader thread may have seen a
// commit that the live events have not published yet, and the live events may have published one that the reader has not seen.

const all = {
  stream: undefined,
  direction: 'forwards',
  from: 'start',
  limit: undefined,
  filter: undefined,
  checkpointEvery: 0,
} as const

function framesOf(positions: number[]) {
  const writer = createFrameWriter()
  for (const position of positions) {
    writeEvent(writer, {
      stream: 's',
      revision: 0,
      position,
      created: 0,
      id: crypto.randomUUID(),
      type: 'Happened',
      isJson: true,
      data: new Uint8Array(),
      metadata: new Uint8Array(),
    })
  }
  return takeFrames(writer)
}

function commitOf(...positions: number[]): Commit {
  const headers = positions.map((position) => ({ position, type: 'Happened' }))
  return { outcomes: [], headers, frames: framesOf(positions) }
}

/** A log whose reader sees the positions that it holds at the time of the read. */
function logOf(...positions: number[]) {
  const log = positions
  const readPage = ({ from, considered }: ReadRequest): Promise<Page> => {
    const found = log.filter((position) => position >= Number(from))
    const head = log.at(-1) ?? 0
    const page = {
      frames: framesOf(found),
      events: found.length,
      next: head + 1,
      end: true,
      head,
      considered,
    }
    return Promise.resolve({ ...page, exists: true })
  }
  return { log, readPage }
}

/** Collects the output: positions and caught-up. */
function outletTo(seen: (number | 'caughtUp')[], onSendAll: () => void = () => undefined): Outlet {
  const send = (frame: Uint8Array) => {
    const response = streams.ReadResp.deserializeBinary(frame)
    if (response.hasCaughtUp()) seen.push('caughtUp')
    const event = response.getEvent()
    if (event) seen.push(Number(event.getCommitPosition()))
  }
  return {
    send,
    sendAll: async ({ bytes, ends }) => {
      for (const [index, end] of ends.entries()) send(bytes.slice(index === 0 ? 0 : ends[index - 1], end))
      onSendAll()
    },
    unsent: () => 0,
    isOver: () => false,
    onOver: () => undefined,
    end: () => undefined,
    fail: (fault) => {
      throw new Error(fault.details)
    },
  }
}

it('sends an event once when the reader saw it before the live events published it', async () => {
  const { readPage } = logOf(1, 5, 9)
  const liveEvents = createLiveEvents(1)
  const seen: (number | 'caughtUp')[] = []
  await subscribe(all, { readPage, liveEvents, liveBuffer: 32, newId: () => 'id' }, outletTo(seen))
  liveEvents.publish(commitOf(5))
  liveEvents.publish(commitOf(9, 12))
  expect(seen).toEqual([1, 5, 9, 'caughtUp', 12])
})

it('sends an event that the live events published after the reader looked', async () => {
  const { log, readPage } = logOf(1)
  const liveEvents = createLiveEvents(1)
  const seen: (number | 'caughtUp')[] = []
  const late = [5, 9]
  // Another commit is made and published while a page is sent.
  const outlet = outletTo(seen, () => {
    const position = late.shift()
    if (position === undefined) return
    log.push(position)
    liveEvents.publish(commitOf(position))
  })
  await subscribe(all, { readPage, liveEvents, liveBuffer: 32, newId: () => 'id' }, outlet)
  liveEvents.publish(commitOf(12))
  await until(() => seen.includes(12))
  expect(seen).toEqual([1, 5, 9, 'caughtUp', 12])
})

import shared from '@eventstore/db-client/generated/shared_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import { awaitLater } from '../../lib/awaitLater.ts'
import { unreadable } from './faults.ts'
import type { Outlet } from './outlet.ts'
import type { ReadOptions } from './requests.ts'
import type { Page, ReadRequest } from './storage/types.ts'

export type ReadPage = (request: ReadRequest) => Promise<Page>

/** Answer a read: send page after page until the limit or the end, and fetch the next meanwhile. */
export async function read(options: ReadOptions & { limit: number }, readPage: ReadPage, outlet: Outlet) {
  const { stream } = options
  let request: ReadRequest = { ...options, from: firstOf(options), checkpointEvery: 0, considered: 0 }
  let coming = awaitLater(readPage(request))
  try {
    while (!outlet.isOver()) {
      const page = await coming
      if (stream !== undefined && !page.exists) outlet.send(streamNotFound(stream))
      request = { ...request, from: page.next, limit: request.limit - page.events }
      const isLast = page.end || request.limit <= 0
      if (!isLast) coming = awaitLater(readPage(request))
      await outlet.sendAll(page.frames)
      if (isLast) return outlet.end()
    }
  } catch (error) {
    outlet.fail(unreadable((error as Error).message))
  }
}

/** The first revision or position to read. Reads include the event they start at, except backwards in `$all`. */
function firstOf({ stream, direction, from }: ReadOptions): number | 'end' {
  if (from !== 'start') return from
  return stream === undefined && direction === 'forwards' ? 1 : 0
}

function streamNotFound(stream: string): Uint8Array {
  const name = new shared.StreamIdentifier()
  name.setStreamName(Buffer.from(stream))
  const notFound = new streams.ReadResp.StreamNotFound()
  notFound.setStreamIdentifier(name)
  const response = new streams.ReadResp()
  response.setStreamNotFound(notFound)
  return response.serializeBinary()
}

import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { socketUrl } from '../../stores/eventStoreDb/url.ts'
import { createLiveEvents, type LiveEvents } from './liveEvents.ts'
import { startServer } from './server.ts'
import { openStore } from './storage/store.ts'

export interface NodeOptions {
  /** The SQLite file of the store; created if it does not exist. */
  file: string
  /**
   * The port of 127.0.0.1 to listen on, which every user of the machine reaches; 0 takes any free one. By default the
   * node listens at a socket beside the file, so that the rights of the folder decide who reaches it.
   */
  port?: number | undefined
  /** Events that a live subscriber may fall behind before it is dropped; 32 on a real server. */
  liveBuffer: number
  /** Called when the disk takes no more data: appends are refused until it does again. */
  full: (line: string) => void
  /** Called when the file can no longer be used: the caller must end the process. */
  onFailure: (line: string) => void
}

export interface EventStoreNode {
  /** The connection string. */
  url: string
  /** Ends subscriptions with status 13, writes and answers the appends under way, and closes the file. */
  stop(): Promise<void>
}

/**
 * Start a node.
 * @throws Error of one line that says what is wrong with the file or the address
 */
export async function startNode({
  file,
  port,
  liveBuffer,
  full,
  onFailure,
}: NodeOptions): Promise<EventStoreNode> {
  let liveEvents: LiveEvents | undefined
  const store = await openStore(file, { onCommit: (commit) => liveEvents?.publish(commit), full, onFailure })
  liveEvents = createLiveEvents(store.head)
  const socket = `${file}.socket`
  const start = async () => {
    // A killed node leaves its socket. No other node listens there, because this one has the lock of the file.
    if (port === undefined) rmSync(socket, { force: true })
    const address = port === undefined ? `unix:${socket}` : `127.0.0.1:${port}`
    return startServer({ address, store, liveEvents, liveBuffer, newId: randomUUID })
  }
  const server = await start().catch(async (error: unknown) => {
    await store.close()
    throw error
  })
  return {
    url: port === undefined ? socketUrl(socket) : `esdb://127.0.0.1:${server.port}?tls=false`,
    async stop() {
      await server.stop()
      await store.close()
    },
  }
}

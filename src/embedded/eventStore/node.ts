import { randomUUID } from 'node:crypto'
import { createLiveFeed, type LiveFeed } from './liveFeed.ts'
import { startServer } from './server.ts'
import { openStore } from './storage/store.ts'

export interface NodeOptions {
  /** The store, one SQLite file; made if there is none. */
  file: string
  host: string
  /** 0: any. */
  port: number
  /** How many events a live subscriber may be behind before it is dropped; 32 on a real server. */
  liveBuffer: number
  /** The file cannot be written any more: whoever runs the node has to end it. */
  failed: (line: string) => void
}

export interface EventStoreNode {
  host: string
  port: number
  /** Ends subscriptions with status 13, writes and answers what has been asked, lets go of the file. */
  stop(): Promise<void>
}

/**
 * Starts a node.
 * @throws Error of one line that says what is wrong with the file or the address
 */
export async function startNode({
  file,
  host,
  port,
  liveBuffer,
  failed,
}: NodeOptions): Promise<EventStoreNode> {
  let feed: LiveFeed | undefined
  const store = await openStore(file, { committed: (commit) => feed?.publish(commit), failed })
  feed = createLiveFeed(store.head)
  const serving = { host, port, store, feed, liveBuffer, now: Date.now, newId: randomUUID }
  const server = await startServer(serving).catch(async (error: unknown) => {
    await store.close()
    throw error
  })
  return {
    host,
    port: server.port,
    async stop() {
      await server.stop()
      await store.close()
    },
  }
}

import { randomUUID } from 'node:crypto'
import { nodeUrl, rememberedPassword } from './access.ts'
import { createLiveFeed, type LiveFeed } from './liveFeed.ts'
import { startServer } from './server.ts'
import { openStore } from './storage/store.ts'

export interface NodeOptions {
  /** The SQLite file of the store; created if it does not exist. */
  file: string
  host: string
  /** 0 takes any free port. */
  port: number
  /** Events that a live subscriber may fall behind before it is dropped; 32 on a real server. */
  liveBuffer: number
  /** Called when the disk takes no more data: appends are refused until it does again. */
  full: (line: string) => void
  /** Called when the file can no longer be used: the caller must end the process. */
  failed: (line: string) => void
}

export interface EventStoreNode {
  host: string
  port: number
  /** `esdb://` connection string, with the password. */
  url: string
  /** Ends subscriptions with status 13, writes and answers the appends under way, and closes the file. */
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
  full,
  failed,
}: NodeOptions): Promise<EventStoreNode> {
  let feed: LiveFeed | undefined
  const store = await openStore(file, { committed: (commit) => feed?.publish(commit), full, failed })
  feed = createLiveFeed(store.head)
  const serving = { host, port, store, feed, liveBuffer, newId: randomUUID }
  const start = async () => startServer({ ...serving, password: rememberedPassword(file) })
  const server = await start().catch(async (error: unknown) => {
    await store.close()
    throw error
  })
  return {
    host,
    port: server.port,
    url: nodeUrl(file, server.port),
    async stop() {
      await server.stop()
      await store.close()
    },
  }
}

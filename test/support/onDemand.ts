import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Something that the browser specs of a run share. A run without such specs starts none. */
export interface OnDemand {
  /** Start it at the first call, and return what a spec has to know of it, as JSON. */
  ask(): Promise<unknown>
  stop(): Promise<void>
}

/** Serve each part at `GET /<name>`, for `demand.ts`. */
export async function serveOnDemand(parts: Readonly<Record<string, OnDemand>>) {
  const server = createServer((request, response) => {
    parts[request.url!.slice(1)]!.ask().then(
      (answer) => response.end(JSON.stringify(answer)),
      (error: Error) => response.writeHead(500).end(error.stack),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.close()
      server.closeAllConnections()
      await Promise.all(Object.values(parts).map((part) => part.stop()))
    },
  }
}

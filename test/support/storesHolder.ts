import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type EventStoreNode, startNode } from '../../src/embedded/eventStore/node.ts'
import { newDataDir, removeDataDir } from './dataDir.ts'

/** Holds event stores in one process until SIGTERM: `POST /` starts an empty one, and `DELETE /<port>` stops it. */

const nodes = new Map<string, { node: EventStoreNode; folder: string }>()

function fail(line: string): never {
  throw new Error(line)
}

async function start() {
  const folder = newDataDir()
  const node = await startNode({
    file: join(folder, 'events.db'),
    port: 0,
    liveBuffer: 32,
    full: fail,
    onFailure: fail,
  })
  nodes.set(new URL(node.url).port, { node, folder })
  return { url: node.url }
}

async function stop(port: string) {
  const { node, folder } = nodes.get(port)!
  nodes.delete(port)
  await node.stop()
  removeDataDir(folder)
  return {}
}

const server = createServer((request, response) => {
  const done = request.method === 'POST' ? start() : stop(request.url!.slice(1))
  done.then(
    (answer) => response.end(JSON.stringify(answer)),
    (error: Error) => response.writeHead(500).end(error.stack),
  )
}).listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}`, pid: process.pid })}\n`)
})

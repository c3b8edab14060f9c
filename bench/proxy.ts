import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A proxy before several nodes, as nginx would be: in turn, and again at the next node when one cannot be reached. */

const restMs = 1_000

export async function startProxy(nodes: readonly string[]) {
  const agent = new Agent({ keepAlive: true })
  const failedAt = new Map<string, number>()
  let turn = 0
  const inTurn = () => {
    turn += 1
    const order = nodes.map((_, index) => nodes[(turn + index) % nodes.length]!)
    const rests = (node: string) =>
      performance.now() - (failedAt.get(node) ?? Number.NEGATIVE_INFINITY) < restMs
    return order.sort((a, b) => Number(rests(a)) - Number(rests(b)))
  }
  const server = createServer(async (incoming, response) => {
    const body = await buffer(incoming)
    for (const node of inTurn()) {
      try {
        return await forward({ agent, node, incoming, body, response })
      } catch {
        failedAt.set(node, performance.now())
      }
    }
    response.writeHead(502).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.close().closeAllConnections()
      agent.destroy()
    },
  }
}

interface Forwarded {
  readonly agent: Agent
  readonly node: string
  readonly incoming: IncomingMessage
  readonly body: Buffer
  readonly response: ServerResponse
}

/** Rejects when the node gives no answer. The load sends PUT alone, which may be sent twice. */
function forward({ agent, node, incoming, body, response }: Forwarded): Promise<void> {
  return new Promise((resolve, reject) => {
    const { method, headers, url } = incoming
    request(new URL(url!, node), { agent, method, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(response).on('close', resolve)
    })
      .on('error', reject)
      .end(body)
  })
}

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A TCP proxy on loopback that makes the network to the event store or to PostgreSQL fail. */
export interface TcpProxy {
  /** The url with this proxy's address in the place of the target's. */
  url: string
  /** Return the number of present connections. */
  connections(): number
  /** Stop passing on bytes of the target, on the present connections only. */
  silence(): void
  /** Stop passing on bytes of the clients, on the present connections only. Returns a count of these bytes. */
  swallow(): () => number
  /** Pass on nothing in either direction, on any connection, until `resume`. */
  hold(): void
  resume(): void
  /** Break every present connection. */
  cut(): void
  /** Break every connection, and refuse new ones until `accept`. */
  refuse(): void
  accept(): void
  close(): Promise<void>
}

interface Pair {
  client: Socket
  target: Socket
}

export async function startProxy(targetUrl: string): Promise<TcpProxy> {
  const target = new URL(targetUrl)
  const pairs = new Set<Pair>()
  let held = false
  let refusing = false

  const server = createServer((client) => {
    if (refusing) return client.resetAndDestroy()
    const pair = { client, target: connect(Number(target.port), target.hostname) }
    pairs.add(pair)
    for (const [one, other] of [
      [pair.client, pair.target],
      [pair.target, pair.client],
    ] as const) {
      one.setNoDelay()
      one.on('data', (chunk) => {
        if (!other.write(chunk)) one.pause()
      })
      other.on('drain', () => {
        if (!held) one.resume()
      })
      one.on('error', () => {})
      one.on('end', () => other.end())
      one.on('close', () => {
        other.destroy()
        pairs.delete(pair)
      })
      if (held) one.pause()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  const url = new URL(targetUrl)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)

  const cut = () => {
    for (const { client, target } of pairs) {
      client.resetAndDestroy()
      target.resetAndDestroy()
    }
  }
  return {
    url: url.href,
    connections: () => pairs.size,
    silence() {
      for (const { target } of pairs) target.removeAllListeners('data').on('data', () => {})
    },
    swallow() {
      let bytes = 0
      for (const { client } of pairs)
        client.removeAllListeners('data').on('data', (chunk) => {
          bytes += chunk.length
        })
      return () => bytes
    },
    hold() {
      held = true
      for (const { client, target } of pairs) {
        client.pause()
        target.pause()
      }
    },
    resume() {
      held = false
      for (const { client, target } of pairs) {
        client.resume()
        target.resume()
      }
    },
    cut,
    refuse() {
      refusing = true
      cut()
    },
    accept() {
      refusing = false
    },
    async close() {
      server.close()
      cut()
      await once(server, 'close')
    },
  }
}

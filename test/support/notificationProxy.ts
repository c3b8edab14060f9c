import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A TCP proxy in front of PostgreSQL. It delays or drops notifications as the spec says, and passes the rest. */
export interface NotificationProxy {
  /** The url with this proxy's address in the place of PostgreSQL's. */
  readonly url: string
  /** Number of notifications that arrived. */
  seen(): number
  close(): Promise<void>
}

/** Milliseconds until a notification is passed on, or that it is dropped. Delayed ones may overtake each other. */
export type Fate = () => number | 'lost'

const notificationResponse = 'A'.charCodeAt(0)

export async function startNotificationProxy(targetUrl: string, fate: Fate): Promise<NotificationProxy> {
  const target = new URL(targetUrl)
  const sockets = new Set<Socket>()
  let seen = 0

  const server = createServer((client) => {
    const postgres = connect(Number(target.port || 5432), target.hostname)
    for (const [one, other] of [
      [client, postgres],
      [postgres, client],
    ] as const) {
      sockets.add(one)
      one.on('error', () => {})
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
    client.pipe(postgres)

    const pass = (message: Buffer) => {
      if (message[0] !== notificationResponse) return void client.write(message)
      seen += 1
      const delayMs = fate()
      if (delayMs === 'lost') return
      if (delayMs === 0) client.write(message)
      else setTimeout(() => client.writable && client.write(message), delayMs)
    }
    // Each message of the server is one byte for its type and four for the length of the rest.
    let held: Buffer = Buffer.alloc(0)
    postgres.on('data', (chunk: Buffer) => {
      held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
      let at = 0
      while (held.length - at >= 5 && held.length - at > held.readInt32BE(at + 1)) {
        const end = at + 1 + held.readInt32BE(at + 1)
        pass(held.subarray(at, end))
        at = end
      }
      held = held.subarray(at)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  const url = new URL(targetUrl)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  url.searchParams.set('sslmode', 'disable')
  return {
    url: url.href,
    seen: () => seen,
    async close() {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}

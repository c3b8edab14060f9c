import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { readWebhook } from '../../packages/client/src/webhooks.ts'
import type { CloudEvent } from '../../src/changes/cloudEvents.ts'

/** An endpoint of somebody who receives changes. */

export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly events: readonly CloudEvent[]
}

export interface Receiver {
  readonly url: string
  readonly received: Received[]
  /** The changes that were accepted, without pings. */
  accepted(): CloudEvent[]
  /** The answer to every request from now on. */
  answer: { status: number; headers?: Record<string, string> }
  /** While this is set, no request is answered. */
  isSilent: boolean
  /** Answer the requests that wait, and all further ones. */
  release(): void
  stop(): void
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const accepted: CloudEvent[] = []
  const released = Promise.withResolvers<void>()
  const server = createServer(async (req, res) => {
    const body = await text(req)
    const events: CloudEvent[] = JSON.parse(body)
    received.push({ path: req.url!, headers: req.headers, body, events })
    if (receiver.isSilent) await released.promise
    const { status, headers = {} } = receiver.answer
    if (status < 300) accepted.push(...events.filter(({ type }) => type !== 'heatmark.webhook.ping.v1'))
    res.writeHead(status, headers).end()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    accepted: () => [...accepted],
    answer: { status: 204 },
    isSilent: false,
    release() {
      receiver.isSilent = false
      released.resolve()
    },
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
  return receiver
}

/** Whether a receiver with this secret knows the sender, by the client for TypeScript. */
export function isSigned(received: Received, secret: string): Promise<boolean> {
  return readWebhook(received, secret).then(
    () => true,
    () => false,
  )
}

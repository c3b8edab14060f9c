import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { readTask } from './processes.ts'

/** Sends the same body over several connections, without a pause, until it is stopped. */

export interface FloodTask {
  readonly url: string
  readonly token: string
  readonly type: string
  readonly body: string
  readonly connections: number
}

const { url, token, type, body, connections } = await readTask<FloodTask>()
const agent = new Agent({ keepAlive: true, maxSockets: connections })
const headers = {
  authorization: `Bearer ${token}`,
  'content-type': type,
  'content-length': Buffer.byteLength(body),
}

async function sendOn(): Promise<void> {
  for (;;) {
    const sent = request(url, { agent, method: 'POST', headers })
    sent.end(body)
    const [response] = await once(sent, 'response')
    await once(response.resume(), 'end')
  }
}

const flooding = Array.from({ length: connections }, sendOn)
console.log('flooding')
await Promise.all(flooding)

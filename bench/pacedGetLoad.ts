import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { keepPace } from './commandLoad.ts'
import { readTask } from './processes.ts'

/** Sends GET requests at a steady rate, however long each takes. */

export interface PacedGetTask {
  readonly url: string
  readonly headers: Record<string, string>
  readonly perSecond: number
  readonly seconds: number
}

const { url, headers, ...rate } = await readTask<PacedGetTask>()
// The sockets take turns, so none is idle until the service closes it.
const agent = new Agent({ keepAlive: true, maxSockets: 32, scheduling: 'fifo' })
const result = await keepPace(rate, async () => {
  const [response] = await once(get(url, { agent, headers }), 'response')
  await once(response.resume(), 'end')
  return response.statusCode === 200
})
process.stdout.write(JSON.stringify(result), () => process.exit())

import { Agent, request } from 'node:http'
import type { LoadResult } from './commandLoad.ts'
import { readTask } from './processes.ts'
import { percentile } from './report.ts'

/** Posts operations for bars: several bars at a time, the operations of one bar in order. */

export interface BarTask {
  /** One address for each bar. */
  readonly urls: readonly string[]
  readonly operations: readonly string[]
  readonly token: string
  readonly inFlight: number
}

const { urls, operations, token, inFlight } = await readTask<BarTask>()
const agent = new Agent({ keepAlive: true, maxSockets: inFlight })
const times: number[] = []
let failed = 0
const waiting = urls.values()
const began = performance.now()
await Promise.all(Array.from({ length: inFlight }, lane))
const perSecond = (times.length * 1_000) / (performance.now() - began)
const result: LoadResult = {
  perSecond,
  p50Ms: percentile(times, 0.5),
  p99Ms: percentile(times, 0.99),
  failed,
}
process.stdout.write(JSON.stringify(result))
agent.destroy()

async function lane() {
  for (const url of waiting)
    for (const operation of operations) {
      const started = performance.now()
      if (!(await post(agent, `${url}/${operation}`, token))) failed += 1
      times.push(performance.now() - started)
    }
}

function post(agent: Agent, url: string, token: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` }
    const sent = request(url, { agent, method: 'POST', headers }, (response) => {
      response
        .resume()
        .on('end', () => resolve(response.statusCode === 204 && !response.headers['projection-status']))
    })
    sent.on('error', reject).end()
  })
}

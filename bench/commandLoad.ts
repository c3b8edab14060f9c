import { Agent, type OutgoingHttpHeaders, request } from 'node:http'
import { atRate } from './pace.ts'
import { readTask } from './processes.ts'
import { percentile } from './report.ts'

/** Sends tag updates over HTTP. An update is answered when the read models show it, unless the task says otherwise. */

export interface CommandTask {
  /** One address for each tag; every tag belongs to another company. */
  readonly urls: readonly string[]
  readonly token: string
  readonly inFlight: number
  readonly seconds: number
  /** Commands begun every second, however many are in flight. Without it, each lane sends without a pause. */
  readonly perSecond?: number
  /** Take answers that come before the read models show the update. */
  readonly async?: boolean
}

export interface LoadResult {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Answers other than the expected one. */
  readonly failed: number
}

/** Keep `inFlight` turns of `work` going for some seconds, and time each. */
export async function keepGoing(
  { inFlight, seconds }: { inFlight: number; seconds: number },
  work: (turn: number, lane: number) => Promise<boolean>,
): Promise<LoadResult> {
  const times: number[] = []
  let failed = 0
  let turn = 0
  const began = performance.now()
  const lane = async (number: number) => {
    while (performance.now() - began < seconds * 1_000) {
      const started = performance.now()
      if (!(await work(turn++, number))) failed += 1
      times.push(performance.now() - started)
    }
  }
  await Promise.all(Array.from({ length: inFlight }, (_, number) => lane(number)))
  const perSecond = (times.length * 1_000) / (performance.now() - began)
  return { perSecond, p50Ms: percentile(times, 0.5), p99Ms: percentile(times, 0.99), failed }
}

/** Time turns of `work` that begin at a steady rate. */
export async function keepPace(
  rate: { perSecond: number; seconds: number },
  work: (turn: number) => Promise<boolean>,
): Promise<LoadResult> {
  const times: number[] = []
  let failed = 0
  const began = performance.now()
  await atRate(rate, async (turn) => {
    const started = performance.now()
    if (!(await work(turn))) failed += 1
    times.push(performance.now() - started)
  })
  const perSecond = (times.length * 1_000) / (performance.now() - began)
  return { perSecond, p50Ms: percentile(times, 0.5), p99Ms: percentile(times, 0.99), failed }
}

if (import.meta.main) {
  const { urls, token, inFlight, seconds, perSecond, async = false } = await readTask<CommandTask>()
  const agent = new Agent({ keepAlive: true, maxSockets: inFlight })
  const update = (turn: number, lane: number) => {
    const url = urls[(inFlight >= urls.length ? lane : turn) % urls.length]!
    const body = JSON.stringify({ name: `Tag ${turn}`, color: '#1f77b4', severity: 'Flag' })
    return put(
      agent,
      url,
      { authorization: `Bearer ${token}`, ...(async && { prefer: 'respond-async' }) },
      body,
    )
  }
  const result = perSecond
    ? await keepPace({ perSecond, seconds }, (turn) => update(turn, turn))
    : await keepGoing({ inFlight, seconds }, update)
  process.stdout.write(JSON.stringify(result))
  agent.destroy()
}

function put(agent: Agent, url: string, more: OutgoingHttpHeaders, body: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const headers = {
      ...more,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    }
    const sent = request(url, { agent, method: 'PUT', headers }, (response) => {
      response
        .resume()
        .on('end', () =>
          resolve(
            response.statusCode === 200 && ('prefer' in more || !response.headers['projection-status']),
          ),
        )
    })
    sent.on('error', reject).end(body)
  })
}

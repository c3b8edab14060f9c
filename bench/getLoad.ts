import autocannon from 'autocannon'
import { readTask } from './processes.ts'

/** Sends GET requests over some connections, without a pause, for some seconds. */

export interface GetTask {
  readonly url: string
  readonly headers: Record<string, string>
  readonly connections: number
  readonly seconds: number
}

export interface GetResult {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Answers that were not 2xx, and requests without an answer. */
  readonly failed: number
}

const { url, headers, connections, seconds } = await readTask<GetTask>()
const result = await autocannon({ url, headers, connections, duration: seconds })
const answer: GetResult = {
  perSecond: result.requests.total / result.duration,
  p50Ms: result.latency.p50,
  p99Ms: result.latency.p99,
  failed: result.non2xx + result.errors + result.timeouts,
}
process.stdout.write(JSON.stringify(answer))

import autocannon from 'autocannon'
import type { GetResult } from './getLoad.ts'
import { readTask } from './processes.ts'

/** Sends GET requests, each with a token of its own. */

export interface TokenTask {
  readonly url: string
  /** One request is sent for each token. */
  readonly tokens: readonly string[]
  readonly connections: number
}

const { url, tokens, connections } = await readTask<TokenTask>()
let clients = 0
const startedAt = performance.now()
const result = await autocannon({
  url,
  connections,
  amount: tokens.length,
  setupClient: (client) => {
    const first = clients++
    client.setRequests(
      tokens
        .filter((_, index) => index % connections === first)
        .map((token) => ({ method: 'GET', headers: { authorization: `Bearer ${token}` } })),
    )
  },
})

const answer: GetResult = {
  perSecond: (result.requests.total * 1_000) / (performance.now() - startedAt),
  p50Ms: result.latency.p50,
  p99Ms: result.latency.p99,
  failed: result.non2xx + result.errors + result.timeouts,
}
process.stdout.write(JSON.stringify(answer))

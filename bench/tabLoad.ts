import { setTimeout as pause } from 'node:timers/promises'
import { readTask } from './processes.ts'

/** Sends requests as open tabs of the portal do: each read at its own interval, with the ETag of the last answer. */

export interface TabLoad {
  readonly url: string
  readonly cookie: string
  readonly polls: readonly { readonly path: string; readonly everyMs: number }[]
  readonly tabs: number
  readonly seconds: number
}

export interface TabLoadResult {
  readonly answered: number
  readonly notModified: number
}

const { url, cookie, polls, tabs, seconds } = await readTask<TabLoad>()
const end = performance.now() + seconds * 1_000
let answered = 0
let notModified = 0

async function repeat(path: string, everyMs: number): Promise<void> {
  let etag: string | undefined
  await pause(Math.random() * everyMs)
  while (performance.now() < end) {
    const next = performance.now() + everyMs
    const response = await fetch(url + path, {
      headers: {
        cookie,
        'sec-fetch-site': 'same-origin',
        'heatmark-portal': '1',
        'heatmark-poll': '1',
        'accept-encoding': 'gzip, br',
        ...(etag !== undefined && { 'if-none-match': etag }),
      },
    })
    await response.arrayBuffer()
    if (response.status >= 400) throw new Error(`${path} answers ${response.status}`)
    answered++
    if (response.status === 304) notModified++
    etag = response.headers.get('etag') ?? etag
    await pause(Math.max(0, next - performance.now()))
  }
}

await Promise.all(
  Array.from({ length: tabs }, () => polls.map(({ path, everyMs }) => repeat(path, everyMs))).flat(),
)
console.log(JSON.stringify({ answered, notModified } satisfies TabLoadResult))

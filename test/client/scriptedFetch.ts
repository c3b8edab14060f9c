import type { ClientOptions } from '../../packages/client/src/index.ts'

/** A client's connection whose answers a spec gives in advance. */

export interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

type Reply = Response | Error | ((asked: Asked) => Response)

export function problem(status: number, code: string, headers: Record<string, string> = {}): Response {
  const body = { type: `/problems/${code}`, title: code, status, detail: 'In words.', code, traceId: 'abc' }
  return Response.json(body, { status, headers })
}

/** Return the options of a client that gets these answers in turn, with what it asked and for how long it waited. */
export function scripted(...replies: Reply[]) {
  const asked: Asked[] = []
  const waitedMs: number[] = []
  const options: ClientOptions = {
    baseUrl: 'https://heatmark.example',
    companyId: 'c',
    token: 't',
    pause: async (ms) => {
      waitedMs.push(ms)
    },
    fetch: async (url, init) => {
      const one = {
        method: init.method!,
        url: url.replace('https://heatmark.example', ''),
        headers: { ...(init.headers as Record<string, string>) },
        body: init.body,
      }
      asked.push(one)
      const reply = replies.shift()
      if (reply === undefined) throw new Error('the spec has no further answer')
      if (reply instanceof Error) throw reply
      return typeof reply === 'function' ? reply(one) : reply
    },
  }
  return { options, asked, waitedMs }
}

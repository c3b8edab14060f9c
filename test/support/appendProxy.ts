import { once } from 'node:events'
import * as http2 from 'node:http2'
import type { AddressInfo } from 'node:net'

/**
 * A proxy in front of the event store that can hold back appends, or the answers to them, and nothing else. With the
 * answers held back, the event is recorded, and the client does not learn of it.
 */
export interface AppendProxy {
  /** The connection string with this proxy's address in the place of the store's. */
  readonly url: string
  /** Hold back appends from now on: the event is not recorded. */
  holdAppends(): void
  /** Hold back answers from now on. */
  holdAnswers(): void
  /** Stop holding back, and break every connection, so that waiting clients must ask again. */
  breakOff(): void
  close(): Promise<void>
}

export async function startAppendProxy(targetUrl: string): Promise<AppendProxy> {
  const target = new URL(targetUrl.replace(/^esdb/, 'http'))
  const sessions = new Set<http2.Http2Session>()
  let held: 'appends' | 'answers' | undefined

  const server = http2.createServer()
  server.on('session', (session) => {
    const upstream = http2.connect(target.origin)
    for (const one of [session, upstream]) {
      sessions.add(one)
      one.on('error', () => {})
      one.on('close', () => sessions.delete(one))
    }
    session.on('close', () => upstream.destroy())
    upstream.on('close', () => session.destroy())
    session.on('stream', (stream: http2.ServerHttp2Stream, headers) => {
      const isAppend = /\/(Batch)?Append$/.test(String(headers[':path']))
      const asked = upstream.request({ ...headers, ':authority': target.host })
      stream.on('data', (chunk) => {
        if (!(held === 'appends' && isAppend)) asked.write(chunk)
      })
      stream.on('end', () => asked.end())
      asked.on('response', (answered, flags) => {
        // A read that finds nothing may answer by headers alone.
        const endStream = (flags & http2.constants.NGHTTP2_FLAG_END_STREAM) !== 0
        stream.respond(answered, endStream ? { endStream } : { waitForTrailers: true })
      })
      let trailers = {}
      asked.on('trailers', (given) => {
        trailers = given
      })
      stream.on('wantTrailers', () => stream.sendTrailers(trailers))
      asked.on('data', (chunk) => {
        if (!(held === 'answers' && isAppend)) stream.write(chunk)
      })
      asked.on('end', () => {
        if (!(held === 'answers' && isAppend)) stream.end()
      })
      stream.on('close', () => asked.close())
      for (const one of [stream, asked]) one.on('error', () => {})
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: targetUrl.replace(/:\d+\?/, `:${(server.address() as AddressInfo).port}?`),
    holdAppends() {
      held = 'appends'
    },
    holdAnswers() {
      held = 'answers'
    },
    breakOff() {
      held = undefined
      for (const session of sessions) session.destroy()
    },
    async close() {
      server.close()
      for (const session of sessions) session.destroy()
    },
  }
}

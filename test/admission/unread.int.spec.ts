import { EventEmitter } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createUnread, type Unread } from '../../src/admission/unread.ts'
import { send } from '../../src/http/kit/routing/respond.ts'
import type { Route } from '../../src/http/kit/routing/route.ts'
import { echoRoute } from '../http/routes.ts'
import { type HttpService, startHttp } from '../support/http.ts'
import { type IdentityProvider, startIdentityProvider } from '../support/identity.ts'
import { until } from '../support/until.ts'

/** The service does not hold whatever answers clients ask for and do not read. */

const megabyte = 1_048_576

describe('the bytes of unread answers', () => {
  class Answer extends EventEmitter {
    writableLength: number
    isClosed = false
    constructor(bytes: number) {
      super()
      this.writableLength = bytes
    }
    destroy() {
      this.isClosed = true
      this.emit('close')
      return this as never
    }
  }
  const answers = (unread: Unread, caller: string, ...sizes: number[]) =>
    sizes.map((size) => {
      const answer = new Answer(size * megabyte)
      unread.note(answer, caller)
      return answer
    })
  const closed = (all: readonly Answer[]) => all.map(({ isClosed }) => isClosed)

  it('of one caller are at most a quarter of the bound, and the oldest answer goes', () => {
    const unread = createUnread(40 * megabyte)
    const slow = answers(unread, 'ada', 4, 4, 4)
    expect(closed(slow)).toEqual([true, false, false])
    expect(unread.bytes()).toBe(8 * megabyte)
  })

  it('may be those of one answer, however large', () => {
    const unread = createUnread(40 * megabyte)
    expect(closed(answers(unread, 'ada', 20))).toEqual([false])
  })

  it('of all callers are at most the bound, and the caller who has left most unread loses an answer', () => {
    const unread = createUnread(40 * megabyte)
    const most = answers(unread, 'ada', 10)
    const others = ['bob', 'eve', 'joe', 'zoe'].map((caller) => answers(unread, caller, 8)[0]!)
    expect(closed(most)).toEqual([true])
    expect(closed(others)).toEqual([false, false, false, false])
  })

  it('no longer count when the answer was read or its connection is closed', () => {
    const unread = createUnread(40 * megabyte)
    const [first, second] = answers(unread, 'ada', 4, 4)
    first!.writableLength = 0
    unread.note(first!, 'ada')
    expect(unread.bytes()).toBe(4 * megabyte)
    second!.emit('close')
    expect(unread.bytes()).toBe(0)
  })
})

describe('clients that do not read', () => {
  let identity: IdentityProvider
  let token: string
  let service: HttpService
  let unread: Unread
  let sockets: Socket[]
  /** The system takes some megabytes of each answer itself. */
  const large = Buffer.alloc(24 * megabyte, 'x')
  const maxBytes = 8 * 24 * megabyte
  const route: Route = {
    ...echoRoute('/api/large', 'caller'),
    query: z.object({}),
    answer: ({ res }) => send(res, { status: 200, body: large, headers: { 'Content-Type': 'text/plain' } }),
  }
  beforeAll(async () => {
    identity = await startIdentityProvider()
    token = await identity.token({ oid: 'me' })
  })
  afterAll(() => identity.stop())
  beforeEach(async () => {
    sockets = []
    unread = createUnread(maxBytes)
    service = await startHttp({ identity, unread, routes: [route] })
    return async () => {
      for (const socket of sockets) socket.destroy()
      await service.close()
    }
  })

  const ask = (): Socket => {
    const socket = connect(service.port, '127.0.0.1')
    socket.on('error', () => {})
    socket.pause()
    sockets.push(socket)
    socket.write(`GET /api/large HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${token}\r\n\r\n`)
    return socket
  }

  it('hold no more than a quarter of the bound by one account', async () => {
    for (let count = 0; count < 6; count += 1) ask()
    await until(() => service.logged.filter(({ msg }) => msg !== undefined).length >= 4)
    expect(unread.bytes()).toBeGreaterThan(0)
    expect(unread.bytes()).toBeLessThanOrEqual(maxBytes / 4)
  })
})

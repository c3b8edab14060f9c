import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { tell } from '../../src/domain/verdict/sentence.ts'
import { createPost } from '../../src/webhooks/post.ts'
import { reachOf } from '../../src/webhooks/publicNetworks.ts'
import { until } from '../support/until.ts'

/** Send a request to an endpoint that answers by raw bytes. Return the outcome after its connection has ended. */
async function outcomeOf(answer: (socket: Socket) => void) {
  let open = 0
  const server = createServer((socket) => {
    open += 1
    socket.on('error', () => {}).once('data', () => answer(socket))
    socket.once('close', () => {
      open -= 1
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  const post = createPost(reachOf(['127.0.0.0/8']), 500)
  const { status, error } = await post(`http://127.0.0.1:${port}`, {}, '[]', new AbortController().signal)
  await until(() => open === 0)
  server.close()
  return { status, error }
}

/** Write again and again, until the other side has gone. */
function keepWriting(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 20)
  socket.once('close', () => clearInterval(timer))
}

it.each([
  [
    'changes the protocol',
    'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n',
  ],
  ['answers no HTTP', 'hello\r\n\r\n'],
  ['sends a huge header', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`],
])('ends a request whose endpoint %s', async (_, answer) => {
  const outcome = await outcomeOf((socket) => socket.write(answer))
  expect(outcome).toEqual({
    status: undefined,
    error: {
      message: expect.any(String),
      sentence: { text: 'WebhookUnreachable', values: expect.anything() },
    },
  })
})

it('ends a request whose endpoint never ends its header', async () => {
  const outcome = await outcomeOf((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    keepWriting(socket, 'X: x\r\n')
  })
  expect(outcome).toEqual({ status: undefined, error: tell('WebhookLate', { seconds: 0.5 }) })
})

it('reads nothing of an answer that never ends', async () => {
  const outcome = await outcomeOf((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    keepWriting(socket, 'x'.repeat(10_000))
  })
  expect(outcome).toEqual({ status: 200, error: undefined })
})

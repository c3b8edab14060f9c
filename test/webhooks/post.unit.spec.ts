import { type AddressInfo, createServer } from 'node:net'
import { expect, it } from 'vitest'
import { createPost } from '../../src/webhooks/post.ts'
import { reachOf } from '../../src/webhooks/publicNetworks.ts'

it.each([
  [
    'changes the protocol',
    'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n',
  ],
  ['answers no HTTP', 'hello\r\n\r\n'],
])('ends a request whose endpoint %s', async (_, answer) => {
  const server = createServer((socket) =>
    socket.on('error', () => {}).once('data', () => socket.write(answer)),
  )
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  const post = createPost(reachOf(['127.0.0.0/8']))
  const { status, error } = await post(`http://127.0.0.1:${port}`, {}, '[]', new AbortController().signal)
  server.close()
  expect({ status, error }).toEqual({ status: undefined, error: expect.any(String) })
})

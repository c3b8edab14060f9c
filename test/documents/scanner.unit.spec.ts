import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, it } from 'vitest'
import { createClamd } from '../../src/documents/scanner.ts'

async function* small() {
  yield Buffer.from('a file')
}

it('names the setting of clamd that a file is too large for', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end('INSTREAM size limit exceeded. ERROR\0'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const scan = createClamd({ host: '127.0.0.1', port: (server.address() as AddressInfo).port })
  await expect(scan(small())).rejects.toThrow('set its StreamMaxLength to 26M')
  server.close()
})

import type { AddressInfo } from 'node:net'
import express from 'express'

/** Express as it comes, answering the same bytes every time: what any handler on it stays below. */
const bytes = Buffer.alloc(Number(process.env.BYTES), '1')
const app = express()
app.disable('etag')
app.get('/', (_req, res) => {
  res.setHeader('Content-Type', 'application/json')
  res.send(bytes)
})
const server = app.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
})
process.on('SIGTERM', () => process.exit())

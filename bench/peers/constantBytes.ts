import type { AddressInfo } from 'node:net'
import express from 'express'

/** Plain Express that always answers the same bytes: an upper bound for every handler on Express. */
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

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type RunningEventStore, startEventStore } from '../../../src/embedded/eventStoreProcess.ts'
import { connectEventStore } from '../../../src/stores/eventStoreDb/connect.ts'
import { socketOf } from '../../../src/stores/eventStoreDb/url.ts'
import { newDataDir, removeDataDir } from '../../support/dataDir.ts'
import { until } from '../../support/until.ts'

/** The node that the embedded stack starts. */

const dataDir = newDataDir()
let node: RunningEventStore
let socket: string
beforeAll(async () => {
  node = await startEventStore({ dataDir })
  socket = socketOf(node.url)!
})
afterAll(async () => {
  await node.stop()
  removeDataDir(dataDir)
})

const isRoot = process.getuid?.() === 0

it('listens in its data directory, for its owner alone', () => {
  expect(socket).toBe(`${dataDir}/events.sqlite.socket`)
  expect(statSync(socket).mode & 0o077).toBe(0)
  expect(statSync(dataDir).mode & 0o077).toBe(0)
})

it('answers after a kill at the same address, where another user can neither call it nor listen', async ({
  skip,
}) => {
  skip(!isRoot, 'only root can act as another user')
  const store = connectEventStore(node.url)
  expect(await asNobody('connect')).toBe('EACCES')
  expect(await store.last()).toBeUndefined()

  process.kill(node.pid, 'SIGKILL')
  const isGone = () =>
    store.last().then(
      () => false,
      ({ message }: Error) => message.includes('No connection established'),
    )
  await until(isGone)
  expect(await asNobody('listen')).toBe('EACCES')

  const { url } = node
  node = await startEventStore({ dataDir })
  expect(node.url).toBe(url)
  await until(async () => (await store.last()) === undefined)
  await store.close()
})

/** Do this with the socket as another user, and return the code of the error, or `done`. */
async function asNobody(how: 'connect' | 'listen'): Promise<string> {
  const program = `
    const net = require('node:net')
    process.setgroups([]); process.setgid(65534); process.setuid(65534)
    const say = (word) => { console.log(word); process.exit() }
    const one = ${how === 'connect' ? 'net.connect' : 'net.createServer().listen'}({ path: process.argv[1] })
    one.on('error', ({ code }) => say(code)).on('connect', () => say('done')).on('listening', () => say('done'))`
  const child = spawn(process.execPath, ['-e', program, socket], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [said] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return said.trim()
}

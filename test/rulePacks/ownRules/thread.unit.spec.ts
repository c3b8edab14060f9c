import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { startThread, type Thread } from '../../../src/rulePacks/ownRules/thread.ts'
import type { PackContent } from '../../../src/rulePacks/rulePack.ts'

/** The limits on the thread for the rules of companies, with scripts that break them. */

let thread: Thread | undefined
afterEach(() => thread?.end())

/** A thread that answers each message with `{ failed: 'answered' }` after it has run this code. */
async function threadThat(code: string, ended: () => void = () => {}) {
  const script = `import { parentPort } from 'node:worker_threads'
    const send = (said) => {
      const { user, system } = process.threadCpuUsage()
      parentPort.postMessage({ ...said, cpuMs: (user + system) / 1000 })
    }
    parentPort.on('message', () => { ${code}; send({ failed: 'answered' }) })
    send({ ready: true })`
  thread = await startThread(new URL(`data:text/javascript,${encodeURIComponent(script)}`), ended)
  return (cpuMs: number, wallMs = 30_000) => thread!.ask({ check: {} as PackContent }, { cpuMs, wallMs })
}

const sleepMs = (ms: number) => `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${ms})`
const computeMs = (ms: number) =>
  `const used = () => Object.values(process.threadCpuUsage()).reduce((sum, us) => sum + us)
   for (const from = used(); used() - from < ${ms * 1_000};);`

describe('a thread', () => {
  it('that waits for a processor for longer than its CPU time may take answers all the same', async () => {
    const ask = await threadThat(sleepMs(600))
    expect(await ask(100)).toEqual({ failed: 'answered' })
  })

  it('that computes for longer than its CPU time fails', async () => {
    const ask = await threadThat(computeMs(60_000))
    await expect(ask(200)).rejects.toThrow('took more than 200 ms of CPU time')
  })

  it('has the whole CPU time for each message', async () => {
    const ask = await threadThat(computeMs(120))
    for (let n = 0; n < 4; n += 1) expect(await ask(400)).toEqual({ failed: 'answered' })
  })

  it('that hangs without computing fails at the bound on the clock', async () => {
    const ask = await threadThat(sleepMs(60_000))
    await expect(ask(100, 300)).rejects.toThrow('did not end within 300 ms')
  })

  it('that ends fails at once, and says so to its owner', async () => {
    let ends = 0
    const ask = await threadThat('process.exit(1)', () => {
      ends += 1
    })
    await expect(ask(10_000)).rejects.toThrow('has ended')
    expect(ends).toBe(1)
  })

  it('that ends while its CPU time is looked at fails by its end, not by the look', async () => {
    const ask = await threadThat(`${sleepMs(200)}; process.exit(1)`)
    // A thread that dies of its memory answers the look before its error is heard.
    const look = vi.spyOn(Worker.prototype, 'cpuUsage').mockRejectedValue(new Error('not running'))
    await expect(ask(20)).rejects.toThrow('has ended')
    expect(look).toHaveBeenCalled()
    look.mockRestore()
  })

  it('that throws fails with its error', async () => {
    const ask = await threadThat('throw new Error("a fault of the thread")')
    await expect(ask(10_000)).rejects.toThrow('a fault of the thread')
  })

  it('fails for a message that cannot be sent, and its end does no harm afterwards', async () => {
    await threadThat('')
    const check = { name: () => {} } as unknown as PackContent
    await expect(thread!.ask({ check }, { cpuMs: 1_000, wallMs: 1_000 })).rejects.toThrow(
      'could not be cloned',
    )
    // An error that nobody handles would end the process.
    const unhandled: unknown[] = []
    const note = (error: unknown) => void unhandled.push(error)
    process.on('unhandledRejection', note)
    await thread!.end()
    await pause(50)
    process.off('unhandledRejection', note)
    expect(unhandled).toEqual([])
  })

  it('that takes more memory than it may fails, and the process goes on', async () => {
    const ask = await threadThat('const all = []; for (;;) all.push(Array(10_000).fill({}))')
    await expect(ask(60_000)).rejects.toThrow('memory')
  })
})

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Running, supervise } from '../../src/embedded/supervisor.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Fake servers. `fails` decides which starts fail. */
function servers(fails: (attempt: number) => boolean) {
  const starts: { at: number; port?: number }[] = []
  const log: string[] = []
  const stopped: number[] = []
  let end = (_reason: string) => {}
  const start = async (how: { onExit: (reason: string) => void; port?: number }): Promise<Running> => {
    starts.push({ at: performance.now(), port: how.port })
    const attempt = starts.length
    if (fails(attempt)) throw new Error('no room')
    end = how.onExit
    return { port: 4711, pid: attempt, stop: async () => void stopped.push(attempt) }
  }
  const supervised = supervise({ name: 'server', start, log: (line) => log.push(line) })
  return { supervised, starts, log, stopped, end: (reason: string) => end(reason) }
}

test('the error of the first start is thrown', async () => {
  const { supervised, starts } = servers(() => true)
  await expect(supervised).rejects.toThrow('no room')
  expect(starts).toHaveLength(1)
})

test('a server that ends is started again on its port, after pauses that grow up to five seconds', async () => {
  const { supervised, starts, log, end } = servers((attempt) => attempt > 1 && attempt < 10)
  const { pid } = await supervised
  end('killed')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(starts.slice(1).map(({ at }, index) => Math.round(at - starts[index]!.at))).toEqual([
    0, 100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000,
  ])
  expect(new Set(starts.slice(1).map(({ port }) => port))).toEqual(new Set([4711]))
  expect(pid()).toBe(10)
  expect(log[0]).toBe('server ended by itself (killed) and is started again')
  expect(log.at(-1)).toBe('server is back (pid 10)')
})

test('a server that ran for a while is started again at once', async () => {
  const { supervised, starts, end } = servers((attempt) => attempt > 1 && attempt < 8)
  await supervised
  end('killed')
  await vi.advanceTimersByTimeAsync(60_000)
  const began = performance.now()
  end('killed again')
  await vi.advanceTimersByTimeAsync(0)
  expect(starts.at(-1)!.at).toBe(began)
})

test('no start follows a stop during a pause', async () => {
  const { supervised, starts, end } = servers((attempt) => attempt > 1)
  const { stop } = await supervised
  end('killed')
  await vi.advanceTimersByTimeAsync(1_000)
  const attempts = starts.length
  await stop()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(starts).toHaveLength(attempts)
})

test('a stopped server is not started again', async () => {
  const { supervised, starts, stopped, end } = servers(() => false)
  const { stop } = await supervised
  await stop()
  end('stopped')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(starts).toHaveLength(1)
  expect(stopped).toEqual([1])
})

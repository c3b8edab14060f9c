import { type Logger, pino } from 'pino'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createShutdown } from '../../../src/processes/parts/shutdown.ts'

const warnings: string[] = []
const log: Logger = pino({ level: 'warn' }, { write: (line) => void warnings.push(JSON.parse(line).msg) })

beforeEach(() => {
  warnings.length = 0
})

describe('a shutdown', () => {
  it('runs the steps one after the other, the last added first', async () => {
    const order: string[] = []
    const shutdown = createShutdown(log)
    for (const name of ['store', 'projector', 'HTTP'])
      shutdown.add(name, async () => {
        order.push(`${name} begins`)
        await Promise.resolve()
        order.push(`${name} ends`)
      })
    expect(await shutdown.run()).toEqual([])
    expect(order).toEqual(
      ['HTTP', 'projector', 'store'].flatMap((name) => [`${name} begins`, `${name} ends`]),
    )
    expect(warnings).toEqual([])
  })

  it('runs each step once', async () => {
    const end = vi.fn(async () => {})
    const shutdown = createShutdown(log)
    shutdown.add('store', end)
    await Promise.all([shutdown.run(), shutdown.run()])
    expect(end).toHaveBeenCalledOnce()
  })

  it('names a step that fails, and runs the steps after it', async () => {
    const close = vi.fn(async () => {})
    const shutdown = createShutdown(log)
    shutdown.add('store', close)
    shutdown.add('projector', () => Promise.reject(new Error('connection closed')))
    shutdown.add('HTTP', () => {
      throw new Error('not listening')
    })
    expect(await shutdown.run()).toEqual(['HTTP', 'projector'])
    expect(warnings).toEqual([
      'shutdown step "HTTP" failed: not listening',
      'shutdown step "projector" failed: connection closed',
    ])
    expect(close).toHaveBeenCalledOnce()
  })

  it('stops waiting when its time is up, names the step that hangs, and still runs the others', async () => {
    const close = vi.fn(async () => {})
    const shutdown = createShutdown(log, 100)
    shutdown.add('store', close)
    shutdown.add('projector', () => new Promise(() => {}))
    expect(await shutdown.run()).toEqual(['projector'])
    expect(warnings).toEqual(['shutdown step "projector" did not end in time: all steps together have 0.1 s'])
    expect(close).toHaveBeenCalledOnce()
  })
})

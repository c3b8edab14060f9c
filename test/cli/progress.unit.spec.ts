import { describe, expect, it } from 'vitest'
import { showReplay } from '../../src/cli/heatmark/replayProgress.ts'
import { withProgress } from '../../src/cli/progress.ts'

const recorder = (isTTY: boolean) => {
  const written: string[] = []
  return { isTTY, written, write: (text: string) => written.push(text) }
}
const clear = '\r\x1b[2K'
const task = { label: 'orders', total: 2 }

describe('withProgress', () => {
  it('writes one plain line when the output is not a terminal', async () => {
    const output = recorder(false)
    const result = await withProgress(
      output,
      task,
      async (step) => {
        step()
        step()
        return 2
      },
      (n) => `${n} of them`,
    )
    expect(result).toBe(2)
    expect(output.written).toEqual(['orders        2 of them\n'])
  })

  it('moves a bar on a terminal and replaces it by the line', async () => {
    const output = recorder(true)
    await withProgress(
      output,
      task,
      async (step) => step(),
      () => 'done',
    )
    expect(output.written).toEqual([
      `${clear}orders        ${'░'.repeat(24)} 0/2`,
      `${clear}orders        ${'█'.repeat(12)}${'░'.repeat(12)} 1/2`,
      `${clear}orders        done\n`,
    ])
  })

  it.each([
    [true, clear],
    [false, undefined],
  ])('clears the bar after an error (terminal: %s)', async (isTTY, last) => {
    const output = recorder(isTTY)
    const failing = withProgress(
      output,
      task,
      () => Promise.reject(new Error('no')),
      () => 'done',
    )
    await expect(failing).rejects.toThrow('no')
    expect(output.written.at(-1)).toBe(last)
  })
})

describe('showReplay', () => {
  it('shows no figures before there are any', () => {
    const output = recorder(true)
    const shown = showReplay(output)
    const progress = { status: 'running', progress: 0, position: 0, events: 0, eventsPerSecond: 0 } as const
    shown.progress({ ...progress, target: 0, etaSeconds: 0 })
    shown.progress({ ...progress, target: 80, position: 40, progress: 0.5, etaSeconds: 3 })
    expect(output.written).toEqual([
      `${clear}${'░'.repeat(24)} beginning`,
      `${clear}${'█'.repeat(12)}${'░'.repeat(12)} at position 40 of 80, 0 events/s, 3 s to go`,
    ])
  })
})

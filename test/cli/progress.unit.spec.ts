import { describe, expect, it } from 'vitest'
import { withProgress } from '../../src/cli/progress.ts'

const recorder = (isTTY: boolean) => {
  const written: string[] = []
  return { isTTY, written, write: (text: string) => written.push(text) }
}
const clear = '\r\x1b[2K'
const task = { label: 'orders', total: 2 }

describe('withProgress', () => {
  it('writes one plain line where there is no terminal', async () => {
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

  it('moves a bar on a terminal and puts the line in its place', async () => {
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
  ])('leaves no half bar behind an error (terminal: %s)', async (isTTY, last) => {
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

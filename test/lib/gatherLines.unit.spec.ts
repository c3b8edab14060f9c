import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { gatherLines } from '../../src/lib/gatherLines.ts'

function setUp() {
  const written: string[] = []
  const { write } = gatherLines({ write: (text) => void written.push(text) })
  return { written, write, exit: process.listeners('exit').at(-1)! }
}

it('writes the lines of a turn together, in their order', async () => {
  const { written, write } = setUp()
  write('one\n')
  write('two\n')
  expect(written).toEqual([])
  await turn()
  write('three\n')
  await turn()
  expect(written).toEqual(['one\ntwo\n', 'three\n'])
})

it('writes the last lines when the process ends, once', async () => {
  const { written, write, exit } = setUp()
  write('last\n')
  exit.call(process, 0)
  await turn()
  expect(written).toEqual(['last\n'])
})

it('writes before the turn ends when many lines wait', () => {
  const { written, write } = setUp()
  for (let n = 0; n < 1_000; n += 1) write(`${'x'.repeat(999)}\n`)
  expect(written.length).toBeGreaterThan(10)
  expect(Math.max(...written.map((text) => text.length))).toBeLessThan(100_000)
})

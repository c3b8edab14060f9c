import { describe, expect, it } from 'vitest'
import { createOutput, type Output } from '../../src/cli/heatmark/output.ts'

/** The texts of the command line, which hold names that anybody may have chosen. */

function printed(work: (output: Output) => void, json = false): string {
  let text = ''
  const stream = { write: (part: string) => (text += part) }
  work(createOutput(json, stream, stream))
  return text
}

/** A terminal that obeyed this name would clear the line, replace it, and turn the direction of the text after it. */
const name = 'Steel\u001b[2K\r\u009b31m\u202eok'
const shown = String.raw`Steel\u001b[2K\u000d\u009b31m\u202eok`

describe('a name with control characters', () => {
  it('is escaped in a table, whose columns have the width of the escaped text', () =>
    expect(
      printed(({ table }) =>
        table([
          { name, status: 'running' },
          { name: 'a\nb', status: 'x' },
        ]),
      ),
    ).toBe(
      [
        `${'name'.padEnd(shown.length)}  status`,
        `${shown}  running`,
        `${String.raw`a\nb`.padEnd(shown.length)}  x`,
        '',
      ].join('\n'),
    ))

  it('is escaped in every other text, which keeps its lines', () => {
    expect(printed(({ record }) => record({}, `one ${name}\ntwo`))).toBe(`one ${shown}\ntwo\n`)
    expect(printed(({ remark }) => remark(name))).toBe(`${shown}\n`)
    expect(printed(({ note }) => note(name))).toBe(`heatmark: ${shown}\n`)
  })

  it('is the same name in JSON', () => {
    const line = printed(({ record }) => record({ name }, ''), true)
    expect(JSON.parse(line)).toEqual({ name })
    expect(line).toMatch(/^[\x20-\x7e]+\n$/)
  })
})

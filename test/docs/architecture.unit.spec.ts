import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/** The walks of docs/architecture.md name files and functions; a renamed one must be renamed there, too. */

const root = new URL('../../', import.meta.url)
const page = readFileSync(new URL('docs/architecture.md', root), 'utf8')

/** Each step: the file, and the functions that it names after it. */
const steps = page
  .split('\n')
  .filter((line) => /^\d+\. /.test(line))
  .map((line) => {
    const [, file = ''] = /^\d+\. `([^`]+)`/.exec(line) ?? []
    const functions = [...line.matchAll(/`(\w+)\(\)`/g)].map(([, name]) => name!)
    return { line, file, functions }
  })

it('has seven walks with a file in each step', () => {
  expect(page.match(/^## /gm)).toHaveLength(7)
  expect(steps.length).toBeGreaterThan(20)
  expect(steps.filter(({ file }) => file === '')).toEqual([])
})

describe.each(steps)('$line', ({ file, functions }) => {
  it('names a file that exists', () => expect(existsSync(new URL(file, root))).toBe(true))

  it.each(functions)('names a function %s that the file declares', (name) => {
    const source = readFileSync(new URL(file, root), 'utf8')
    expect(source).toMatch(new RegExp(`\\b(function\\*? |const )${name}\\b|^\\s+(async )?${name}\\(`, 'm'))
  })
})

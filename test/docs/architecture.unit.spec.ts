import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/** docs/architecture.md names rooms, files and functions; a renamed one must be renamed there, too. */

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

const layers = ['domain', 'commands', 'projections', 'http']
const rooms = ['', ...layers].flatMap((layer) =>
  readdirSync(new URL(`src/${layer}`, root), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !layers.includes(entry.name))
    .map(({ name }) => (layer ? `${layer}/${name}` : name)),
)

it.each(rooms)('has src/%s on the map', (room) => {
  const rows = page.split('\n').filter((line) => line.startsWith('| `'))
  const noun = room.split('/')[1] ?? room
  expect(rows.some((row) => row.includes(`\`src/${room}/\``) || row.startsWith(`| \`${noun}\` |`))).toBe(true)
})

it('has seven walks with a file in each step', () => {
  expect(page.match(/^## /gm)).toHaveLength(8)
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

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { measured, nodesFor } from '../../bench/nodes.ts'

const page = readFileSync(new URL('../../docs/scaling.md', import.meta.url), 'utf8')

it('computes the nodes that docs/scaling.md names', () => {
  const rows = [...page.matchAll(/^\| (\d+) \| (\d+) \| (\d+) % of the time \|$/gm)]
  expect(rows.length).toBeGreaterThan(3)
  for (const [, commands, http, percent] of rows) {
    const nodes = nodesFor(Number(commands))
    expect([nodes.http, Math.round(nodes.projectorLoad * 100)]).toEqual([Number(http), Number(percent)])
  }
  expect(page).toContain(`commands a second × ${measured.httpMs} ms ÷ 0.6`)
})

it('lets one node be lost, and needs more for dearer commands', () => {
  expect(nodesFor(1).http).toBe(2)
  expect(nodesFor(500, { ...measured, httpMs: 6 }).http).toBe(6)
})

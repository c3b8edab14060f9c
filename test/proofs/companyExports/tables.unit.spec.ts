import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { type CsvPortion, csvOfTable, type InSnapshot } from '../../../src/proofs/companyExports/tables.ts'

/** The table of a company as CSV, from one snapshot after the other. */

const rows = Array.from({ length: 50 }, (_, row) => row)
const heading = 'row\r\n'
const whole = heading + rows.map((row) => `${row}\r\n`).join('')

/** Snapshots in which a row takes some milliseconds, and the clock by which it does. */
function stage(msOfRow: number, breaksAt?: number) {
  let now = 0
  let snapshots = 0
  let isBroken = false
  const inSnapshot: InSnapshot = async (work) => {
    const attempt = () => {
      snapshots += 1
      return work(async function* (after) {
        for (const row of rows.slice(after === undefined ? 0 : Number(after[0]) + 1)) {
          if (row === breaksAt && !isBroken) {
            isBroken = true
            throw new Error('the connection was lost')
          }
          now += msOfRow
          yield { lines: `${row}\r\n`, last: [row] } satisfies CsvPortion
        }
      })
    }
    return attempt().catch(attempt)
  }
  return { csv: () => csvOfTable(heading, inSnapshot, () => now), snapshots: () => snapshots }
}

it('is one snapshot when it takes little time', async () => {
  const { csv, snapshots } = stage(10)
  expect(await text(csv())).toBe(whole)
  expect(snapshots()).toBe(1)
})

it('goes on behind the last row in a new snapshot, before the old one is too old', async () => {
  const { csv, snapshots } = stage(4_000)
  expect(await text(csv())).toBe(whole)
  expect(snapshots()).toBe(11)
})

it('has each row once when a connection is lost', async () => {
  expect(await text(stage(10, 20).csv())).toBe(whole)
})

it('ends with the error when no snapshot can be read', async () => {
  const none: InSnapshot = () => Promise.reject(new Error('away'))
  await expect(text(csvOfTable(heading, none, () => 0))).rejects.toThrow('away')
})

it('reads no further when its reader has gone', async () => {
  let read = 0
  let hasEnded = false
  const inSnapshot: InSnapshot = async (work) => {
    const endless = async function* () {
      for (;;) yield { lines: 'x'.repeat(10_000), last: [++read] }
    }
    return work(endless).finally(() => {
      hasEnded = true
    })
  }
  for await (const _ of csvOfTable(heading, inSnapshot, () => 0)) break
  await expect.poll(() => hasEnded).toBe(true)
  expect(read).toBeLessThan(100)
})

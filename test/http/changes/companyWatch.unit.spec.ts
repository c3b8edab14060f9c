import { beforeEach, expect, it } from 'vitest'
import { changeReads } from '../../../src/changes/readChanges.ts'
import { type CompanyWatch, watchCompany } from '../../../src/http/changes/companyWatch.ts'
import type { Changes } from '../../../src/projections/engine/reading/knownStates.ts'
import { companyId, id } from '../../support/given.ts'

/** When a reader of the feed looks again. */

const never = new AbortController().signal
const longMs = 60_000
let tell: (changes: Changes) => void
let reached: number
let entriesReached: number
let waited: (isReached: boolean) => void
let watch: CompanyWatch
beforeEach(() => {
  ;[reached, entriesReached] = [10, 10]
  const positions = {
    onChange: (listener: (changes: Changes) => void) => {
      tell = listener
      return () => {}
    },
    positionOf: (projections: readonly { name: string }[]) =>
      projections === changeReads ? reached : entriesReached,
    waitFor: () => new Promise<boolean>((resolve) => (waited = resolve)),
  }
  watch = watchCompany(positions, () => performance.now(), companyId)
})

/** Whether the watch goes on before a change of its own company, which comes last. */
async function wakesAt(changes: Changes): Promise<boolean> {
  await watch.begin(never)
  let woken = false
  const changed = watch.changed(longMs, never).then(() => (woken = true))
  tell(changes)
  await new Promise(setImmediate)
  const isWoken = woken
  tell([{ companyId, projection: 'entries' }])
  await changed
  return isWoken
}

it.each<[string, Changes]>([
  ['an event of its company', [{ companyId, projection: 'entries' }]],
  ['a member that its company removes', [{ companyId, projection: 'access' }]],
  ['a key that an account deletes', [{ companyId: '', projection: 'access' }]],
  ['anything that it has missed', '*'],
])('looks again at %s', async (_, changes) => expect(await wakesAt(changes)).toBe(true))

it('sleeps through the events of other companies', async () => {
  const other = id(99)
  expect(
    await wakesAt([
      { companyId: other, projection: 'entries' },
      { companyId: other, projection: 'access' },
      { companyId, projection: 'tags' },
    ]),
  ).toBe(false)
})

it('misses no change that comes while it looks', async () => {
  await watch.begin(never)
  tell([{ companyId, projection: 'entries' }])
  expect(await watch.changed(longMs, never)).toBe(true)
})

it('waits for the read models that are behind the entries, because nothing tells of that', async () => {
  reached = 7
  await watch.begin(never)
  const changed = watch.changed(longMs, never)
  waited(true)
  expect(await changed).toBe(true)
})

it('tells when time is up, and when it is over', async () => {
  await watch.begin(never)
  expect(await watch.changed(1, never)).toBe(false)
  expect(await watch.changed(longMs, AbortSignal.abort())).toBe(false)
})

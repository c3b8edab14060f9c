import { expect, test } from 'vitest'
import { createShownPlaces } from '../../../../src/projections/engine/reading/shownPlaces.ts'
import { catchUpWithinMs } from '../../../../src/projections/engine/reading/waitFor.ts'

let time = 0
const tags = (position: number, generation = 1) => ({ name: 'tags', position, generation })

test('keeps the newest place, whatever order the reads end in', () => {
  const shown = createShownPlaces(() => time)
  expect(shown.of('tags')).toBeUndefined()
  for (const position of [10, 30, 20]) shown.note([tags(position)])
  expect(shown.of('tags')).toMatchObject(tags(30))
  shown.note([tags(5, 2)])
  expect(shown.of('tags')).toMatchObject(tags(5, 2))
})

test('gives the projector its time from the first read that shows less, however long PostgreSQL was away', () => {
  const shown = createShownPlaces(() => time)
  shown.note([tags(30)])
  const before = shown.of('tags')
  time += 10 * catchUpWithinMs
  expect(shown.isTakenBack(tags(20), before)).toBe(true)
  time += catchUpWithinMs - 1
  expect(shown.isTakenBack(tags(20), before)).toBe(true)
  expect(shown.isTakenBack(tags(30), before)).toBe(false)
  time += 1
  expect(shown.isTakenBack(tags(20), before)).toBe(false)
  shown.note([tags(20)])
  expect(shown.of('tags')).toMatchObject(tags(20))
})

test('takes no read for behind that began before a newer one was shown', () => {
  const shown = createShownPlaces(() => time)
  const before = shown.of('tags')
  shown.note([tags(30)])
  expect(shown.isTakenBack(tags(20), before)).toBe(false)
})

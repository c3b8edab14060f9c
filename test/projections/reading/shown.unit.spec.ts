import { expect, test } from 'vitest'
import { createShown } from '../../../src/projections/reading/shown.ts'
import { catchUpWithinMs } from '../../../src/projections/reading/waitFor.ts'

let time = 0
const tags = (position: number, generation = 1) => ({ name: 'tags', position, generation })

test('keeps the newest place, whatever order the reads end in', () => {
  const shown = createShown(() => time)
  expect(shown.of('tags')).toBeUndefined()
  shown.note([tags(10)])
  shown.note([tags(30)])
  shown.note([tags(20)])
  expect(shown.of('tags')).toMatchObject(tags(30))
  shown.note([tags(5, 2)])
  expect(shown.of('tags')).toMatchObject(tags(5, 2))
})

test('forgets a place once the projector has had the time to write lost rows again', () => {
  const shown = createShown(() => time)
  shown.note([tags(30)])
  time += catchUpWithinMs - 1
  expect(shown.of('tags')).toMatchObject(tags(30))
  time += 1
  expect(shown.of('tags')).toBeUndefined()
  shown.note([tags(10)])
  expect(shown.of('tags')).toMatchObject(tags(10))
})

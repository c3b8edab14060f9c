import { expect, it } from 'vitest'
import { auditedEvents } from '../../src/domain/aggregates.ts'
import { happenedInGerman } from '../../src/portal/texts/happened.ts'

it('names every kind of event in German, and no other', () => {
  expect(Object.keys(happenedInGerman).sort()).toEqual(Object.keys(auditedEvents).sort())
})

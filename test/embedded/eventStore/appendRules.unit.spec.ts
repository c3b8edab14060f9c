import { array, assert, constantFrom, integer, oneof, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decideAppend, type StreamView } from '../../../src/embedded/eventStore/storage/appendRules.ts'
import { type ExpectedRevision, NO_EVENTS } from '../../../src/embedded/eventStore/storage/types.ts'

interface Given {
  /** The ids of the stream's events, in order. */
  log?: string[]
  recent?: string[]
}

function given({ log = [], recent = [] }: Given): StreamView {
  return {
    head: log.length - 1,
    idAt: (revision) => log[revision],
    recentRevisionOf: (id) => (recent.includes(id) ? log.lastIndexOf(id) : undefined),
  }
}

const write = { decision: 'write' }
const wrongRevision = { decision: 'wrongRevision' }
function repeated(revision: number) {
  return { decision: 'repeated', revision }
}

describe.each([
  // given the stream, when these ids are appended at this revision, then
  ['a new stream', {}, 'noStream', ['x'], write],
  ['a new stream', {}, 'any', ['x'], write],
  ['a new stream', {}, 0, ['x'], wrongRevision],
  ['a stream', { log: ['a', 'b'] }, 'noStream', ['x'], wrongRevision],
  ['a stream', { log: ['a', 'b'] }, 'any', ['x'], write],
  ['a stream', { log: ['a', 'b'] }, 0, ['x'], wrongRevision],
  ['a stream', { log: ['a', 'b'] }, 1, ['x'], write],
  ['a stream', { log: ['a', 'b'] }, 2, ['x'], wrongRevision],
  ['a repeat', { log: ['a', 'b', 'c'] }, 'noStream', ['a', 'b'], repeated(1)],
  ['a repeat', { log: ['a', 'b', 'c'] }, 0, ['b', 'c'], repeated(2)],
  ['a repeat at the head', { log: ['a', 'b'] }, 1, ['b'], write],
  ['a repeat with something new', { log: ['a', 'b'] }, 'noStream', ['a', 'b', 'x'], wrongRevision],
  ['a repeat in another place', { log: ['a', 'b', 'c'] }, 'noStream', ['b'], wrongRevision],
  ['known ids', { log: ['a', 'b', 'c'], recent: ['a', 'b', 'c'] }, 'any', ['a', 'b'], repeated(1)],
  ['forgotten ids', { log: ['a', 'b'] }, 'any', ['a', 'b'], write],
  ['a known id, then a new one', { log: ['a'], recent: ['a'] }, 'any', ['a', 'x'], wrongRevision],
  ['a new id, then a known one', { log: ['a'], recent: ['a'] }, 'any', ['x', 'a'], write],
  ['no events', { log: ['a', 'b'] }, 'any', [], write],
  ['no events', { log: ['a', 'b'] }, 1, [], write],
  ['no events', { log: ['a', 'b'] }, 0, [], wrongRevision],
] as [string, Given, ExpectedRevision, string[], object][])(
  '%s',
  (_name, stream, expected, ids, decision) => {
    it(`${JSON.stringify(stream)}: [${ids}] at ${expected} is ${JSON.stringify(decision)}`, () => {
      expect(decideAppend(given(stream), expected, ids)).toEqual(decision)
    })
  },
)

it('writes a batch at the head once, and answers each repeat at that revision with the first result', () => {
  const anyIds = array(constantFrom('a', 'b', 'c', 'd'), { maxLength: 6 })
  assert(
    property(
      anyIds,
      array(integer({ min: 100, max: 999 }), { minLength: 1, maxLength: 5 }),
      anyIds,
      (before, numbers, after) => {
        const batch = numbers.map((number, index) => `${number}-${index}`)
        const expected = before.length === 0 ? 'noStream' : before.length - 1
        expect(decideAppend(given({ log: before }), expected, batch)).toEqual(write)
        const log = [...before, ...batch, ...after]
        expect(decideAppend(given({ log }), expected, batch)).toEqual(
          repeated(before.length + batch.length - 1),
        )
      },
    ),
  )
})

it('never writes at a revision that is not the head', () => {
  const anyIds = array(constantFrom('a', 'b', 'c'), { maxLength: 5 })
  const anyRevision = oneof(integer({ min: 0, max: 8 }))
  assert(
    property(anyIds, anyRevision, anyIds, (log, expected, ids) => {
      const { decision } = decideAppend(given({ log }), expected, ids)
      if (decision === 'write') expect(expected).toBe(log.length === 0 ? NO_EVENTS : log.length - 1)
    }),
  )
})

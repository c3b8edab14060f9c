import { expect, it } from 'vitest'
import type { Recorded } from '../../../src/domain/kernel/event.ts'
import {
  type EventTypes,
  toNewestVersion,
  understands,
  whyUnreadable,
} from '../../../src/domain/kernel/versions.ts'
import { alice, now } from '../../support/given.ts'

/** In version 1 the colour is a number, and only version 3 counts coats. */
const types: EventTypes = {
  Painted: {
    version: 3,
    upcasters: {
      1: ({ rgb, ...data }: { rgb: number }) => ({ ...data, color: `#${rgb.toString(16).padStart(6, '0')}` }),
      2: (data: object) => ({ ...data, coats: 1 }),
    },
  },
  Moved: {},
}

function stored(data: object, schemaVersion: number | undefined, more: Partial<Recorded> = {}): Recorded {
  return {
    id: 'e',
    type: 'Painted',
    streamName: 'paint-1',
    revision: 0,
    position: 7,
    data,
    metadata: { actor: alice, occurredAt: now, correlationId: 'c', schemaVersion: schemaVersion! },
    ...more,
  }
}

it.each([
  ['of version 1', { id: 4, rgb: 255 }, 1, { id: 4, color: '#0000ff', coats: 1 }],
  ['that does not say its version', { id: 4, rgb: 255 }, undefined, { id: 4, color: '#0000ff', coats: 1 }],
  ['of version 2', { id: 4, color: '#ABC' }, 2, { id: 4, color: '#ABC', coats: 1 }],
])(
  'brings an event %s to the newest version, and does not change the stored event',
  (_, data, version, newest) => {
    const event = stored(data, version)
    const before = structuredClone(event)
    expect(toNewestVersion(types, event)).toStrictEqual({
      ...before,
      data: newest,
      metadata: { ...before.metadata, schemaVersion: 3 },
    })
    expect(event).toStrictEqual(before)
  },
)

it.each([
  ['of the newest version', stored({ coats: 2 }, 3)],
  ['of a newer version than it knows', stored({}, 4)],
  ['of a type that has one version', stored({}, 1, { type: 'Moved' })],
  ['of a type that it does not know', stored({}, 1, { type: 'constructor' })],
  ['that is not JSON', stored({ base64: '' }, 1, { isJson: false })],
])('returns the very event %s', (_, event) => {
  expect(toNewestVersion(types, event)).toBe(event)
})

it('names the event, the version that it cannot reach, and the reason', () => {
  const upcasting = (event: Recorded) => () => toNewestVersion(types, event)
  expect(upcasting(stored({}, 1))).toThrow(expect.objectContaining({ code: 'upcast-failed' }))
  expect(upcasting(stored({}, 1))).toThrow(
    /^Painted at position 7 cannot be brought from version 1 to 2: Cannot read .*undefined/,
  )
  expect(upcasting(stored({}, 0))).toThrow('from version 0 to 1: this release has no upcaster for it')
})

it('understands known types up to their newest version, in JSON', () => {
  expect(understands(types, stored({}, undefined))).toBe(true)
  expect(understands(types, stored({}, 3))).toBe(true)
  expect(understands(types, stored({}, 4))).toBe(false)
  expect(understands(types, stored({}, 1, { type: 'constructor' }))).toBe(false)
  expect(understands(types, stored({}, 1, { isJson: false }))).toBe(false)
  expect(whyUnreadable(types, stored({}, 3))).toBeUndefined()
  expect(whyUnreadable(types, stored({}, 4))).toBe('this release knows its type up to version 3')
  expect(whyUnreadable(types, stored({}, 1, { type: 'constructor' }))).toContain('does not know its type')
  expect(whyUnreadable(types, stored({}, 1, { isJson: false }))).toContain('no JSON object')
})

import { expect, it } from 'vitest'
import { sentenceIn, tell } from '../../src/domain/verdict/sentence.ts'
import { accept, begin, fail, type Place, pauses } from '../../src/webhooks/place.ts'

/** When an endpoint is asked next, and when no more. */

const now = new Date('2026-03-01T12:00:00.000Z')
const added = { startedAt: 50, startAfter: 50 }
const fresh = begin(undefined, added)
const secondsOf = ({ nextTryAt }: Place) => (nextTryAt!.getTime() - now.getTime()) / 1_000

it('begins with the event that added the webhook', () =>
  expect(fresh).toMatchObject({ position: 50, tries: 0 }))

it('goes on from where an Admin says, and once', () => {
  const stopped = fail({ ...fresh, position: 70, pingedUrl: 'https://a' }, { status: 410 }, now)
  const replay = { startedAt: 90, startAfter: 10 }
  const again = begin(stopped, replay)
  expect(again).toMatchObject({ position: 10, pingedUrl: 'https://a', disabled: null, tries: 0 })
  const reached = accept(again, { position: 80 })
  expect(begin(reached, replay)).toBe(reached)
  expect(begin(stopped, { startedAt: 90, startAfter: null })).toMatchObject({ position: 70, disabled: null })
})

it('waits longer after each failure, then stops and keeps its place', () => {
  let place = { ...fresh, position: 70 }
  for (const pause of pauses) {
    place = fail(place, { status: 500 }, now)
    expect(secondsOf(place)).toBe(pause / 1_000)
  }
  expect(place.disabled).toBeNull()
  const last = fail(place, { error: tell('WebhookUnreachable', { why: 'connect ECONNREFUSED' }) }, now)
  expect(last).toMatchObject({
    position: 70,
    nextTryAt: null,
    disabled: { message: 'The last of 10 tries failed: There was no answer: connect ECONNREFUSED' },
  })
  expect(sentenceIn('de', last.disabled!.sentence)).toBe(
    'Der letzte von 10 Versuchen misslang: Es kam keine Antwort: connect ECONNREFUSED',
  )
})

it.each([
  ['60', 60],
  ['2', 5],
  ['99999999', 86_400],
  ['Sun, 01 Mar 2026 12:10:00 GMT', 600],
  ['soon', 5],
])('heeds Retry-After: %s', (retryAfter, seconds) =>
  expect(secondsOf(fail(fresh, { status: 503, retryAfter }, now))).toBe(seconds),
)

it('stops at once when the endpoint is gone, and takes a redirect for a failure', () => {
  expect(fail(fresh, { status: 410 }, now).disabled).toEqual(tell('WebhookGone'))
  expect(fail(fresh, { status: 302 }, now)).toMatchObject({
    tries: 1,
    failure: tell('WebhookRedirected', { status: 302 }),
  })
})

it('forgets failures with the next success', () =>
  expect(accept(fail(fresh, { status: 500 }, now), { position: 60 })).toEqual({ ...fresh, position: 60 }))

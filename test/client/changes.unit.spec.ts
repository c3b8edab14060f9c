import { expect, it } from 'vitest'
import { createClient } from '../../packages/client/src/index.ts'
import { problem, scripted } from './scriptedFetch.ts'

/** A reader of the feed gets every page once, whatever breaks in between. */

const page = (after: string, ...ids: string[]) =>
  Response.json(
    ids.map((id) => ({ id })),
    { headers: { Link: `</api/company/c/changes?after=${after}&types=x>; rel="next"` } },
  )

it('continues from the last place, waits for changes, and comes back after breaks', async () => {
  const { options, asked } = scripted(
    page('7', 'a', 'b'),
    page('7'),
    new TypeError('cut off'),
    problem(503, 'not-ready', { 'Retry-After': '1' }),
    page('9', 'c'),
    problem(409, 'after-unknown'),
  )
  const found: unknown[] = []
  const follow = async () => {
    const client = createClient({ ...options, attempts: 1 })
    for await (const { changes, after } of client.changes({ after: '5', types: ['heatmark.bar', 'x'] }))
      found.push([after, ...changes.map(({ id }) => id)])
  }
  await expect(follow()).rejects.toMatchObject({ code: 'after-unknown' })
  expect(found).toEqual([
    ['7', 'a', 'b'],
    ['9', 'c'],
  ])
  const at = (after: number) => `/api/company/c/changes?types=heatmark.bar%2Cx&after=${after}`
  expect(asked.map(({ url }) => url)).toEqual([5, 7, 7, 7, 7, 9].map(at))
  expect(asked[0]!.headers.Prefer).toBe('wait=20')
})

it('tells of each retry, and ends when no token can be had, however long the service was away before', async () => {
  const away = () => problem(503, 'not-ready')
  const replies = [away(), page('7', 'a'), ...Array.from({ length: 6 }, away)]
  const { length } = replies
  const { options, asked } = scripted(...replies)
  const token = () => {
    if (asked.length === length) throw new Error('no token')
    return 't'
  }
  const told: unknown[] = []
  const onRetry = (error: unknown, failures: number) => told.push([(error as Error).message, failures])
  const follow = async () => {
    for await (const { after } of createClient({ ...options, token, attempts: 1 }).changes({ onRetry }))
      expect(after).toBe('7')
  }
  await expect(follow()).rejects.toThrow('no token')
  const notReady = expect.stringContaining('not-ready')
  expect(told).toEqual([
    ...[1, 1, 2, 3, 4, 5, 6].map((failures) => [notReady, failures]),
    ...[7, 8, 9, 10, 11].map((failures) => ['no token', failures]),
  ])
})

it('ends quietly when the signal is aborted', async () => {
  const stopped = new AbortController()
  const { options } = scripted(() => {
    stopped.abort()
    throw new TypeError('cut off')
  })
  for await (const _ of createClient(options).changes({ signal: stopped.signal }))
    expect.unreachable('there is no page')
})

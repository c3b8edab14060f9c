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

it('tells of each retry, and ends when no token can be had', async () => {
  const { options, waitedMs } = scripted(problem(503, 'not-ready'), page('7', 'a'))
  const token = () => {
    if (waitedMs.length > 1) throw new Error('no token')
    return 't'
  }
  const told: unknown[] = []
  const onRetry = (error: unknown, failures: number) => told.push([(error as Error).message, failures])
  const follow = async () => {
    for await (const { after } of createClient({ ...options, token, attempts: 1 }).changes({ onRetry })) {
      expect(after).toBe('7')
      waitedMs.push(0)
    }
  }
  await expect(follow()).rejects.toThrow('no token')
  expect(told).toEqual([
    [expect.stringContaining('not-ready'), 1],
    ...[1, 2, 3, 4, 5].map((failures) => ['no token', failures]),
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

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

it('ends quietly when the signal is aborted', async () => {
  const stopped = new AbortController()
  const { options } = scripted(() => {
    stopped.abort()
    throw new TypeError('cut off')
  })
  for await (const _ of createClient(options).changes({ signal: stopped.signal }))
    expect.unreachable('there is no page')
})

import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { type ClusterNode, startCluster, untilServing } from '../support/cluster.ts'
import { runHeatmarkProcess } from '../support/heatmark.ts'
import { own } from '../support/own.ts'
import { createDatabase } from '../support/postgres.ts'
import { startStore } from '../support/store.ts'
import { until } from '../support/until.ts'

/** Two releases whose `tags` read models differ, side by side on one pair of stores. */

const nextRelease = { NODE_OPTIONS: `--import ${join(import.meta.dirname, '../support/nextRelease.ts')}` }

// Only this company may write, so that waiting for the head is short: always use a local node.
let old: ClusterNode
const store = await own(startStore())
const database = await own(createDatabase())
const cluster = await own(startCluster({ eventStoreUrl: store.url, databaseUrl: database.url }))
beforeAll(async () => {
  old = await cluster.start()
  await untilServing(old)
})

async function create(node: ClusterNode, name: string): Promise<string> {
  const { status, headers } = await node.send('editor', 'POST', 'millcert-tags', {
    body: { name, color: '#abcdef' },
  })
  expect(status).toBe(201)
  return headers.get('commit-position')!
}

async function colors(node: ClusterNode, position: string): Promise<[string, string][]> {
  const headers = { 'min-position': position }
  const { status, body } = await node.send('viewer', 'GET', 'millcert-tags', { headers })
  expect(status).toBe(200)
  return body.map(({ name, color }: { name: string; color: string }) => [name, color])
}

async function ready(node: ClusterNode) {
  const response = await fetch(`${node.url}/health/ready`)
  // biome-ignore lint/suspicious/noExplicitAny: the spec knows the shape.
  return { status: response.status, body: (await response.json()) as any }
}

function prune(more: Record<string, string> = {}) {
  return runHeatmarkProcess(['projections', 'prune'], {
    EVENTSTORE_URL: store.url,
    DATABASE_URL: database.url,
    ...more,
  })
}

it('the old release serves until the new one is built, then both serve, and prune drops the old schema', async () => {
  const first = await create(old, 'First')

  // No process projects for the new release yet, so it is not ready, reports its progress, and the old one serves.
  const next = await cluster.start({ ...nextRelease, PROCESS_ROLES: 'http' })
  await until(async () => (await ready(next)).body.behind?.length > 0)
  const { status, body } = await ready(next)
  expect(status).toBe(503)
  expect(body.notReady).toContain('projection tags')
  expect(body.behind).toContainEqual({ name: 'projection tags', position: 0, head: expect.any(Number) })
  expect((await ready(old)).status).toBe(200)
  expect(await colors(old, first)).toEqual([['First', '#abcdef']])

  await cluster.start({ ...nextRelease, PROCESS_ROLES: 'projector,policies' })
  await until(async () => (await ready(next)).status === 200)
  expect(await colors(next, first)).toEqual([['First', '#ABCDEF']])

  // Both show every event, each with its own fold.
  const second = await create(next, 'Second')
  const third = await create(old, 'Third')
  const names = ['First', 'Second', 'Third']
  expect(Number(third)).toBeGreaterThan(Number(second))
  expect(await colors(old, third)).toEqual(names.map((name) => [name, '#abcdef']))
  expect(await colors(next, third)).toEqual(names.map((name) => [name, '#ABCDEF']))

  const refused = await prune(nextRelease)
  expect(refused.code).toBe(1)
  expect(refused.stdout).toMatch(
    /^kept heatmark_\w+: a projector of that release has run within the last ten minutes$/m,
  )
  await old.end()
  const pruned = await prune(nextRelease)
  expect(pruned.stdout).toMatch(/^dropped heatmark_\w+$/m)
  expect(pruned.code).toBe(0)
  expect(await colors(next, await create(next, 'Fourth'))).toHaveLength(4)
})

import { beforeAll, describe, expect, it } from 'vitest'
import { deafAfterMs } from '../../../../src/projections/engine/reading/readCache.ts'
import { type Fate, startNotificationProxy } from '../../../support/notificationProxy.ts'
import { own } from '../../../support/own.ts'
import { sized } from '../../../support/size.ts'
import { startTestService } from '../../../support/testService.ts'
import { until } from '../../../support/until.ts'

/**
 * Lists that are answered from memory are never older than they may be, on the node that wrote and on one
 * that hears of it late, out of order, or not at all.
 */
const reads = sized(600, 10_000)

let fate: Fate = () => 0
let tagId: string

const tags = 'millcert-tags'
/** The version that the list shows: the tag is renamed to it. */
const shown = async (at: string, headers: Record<string, string> = {}): Promise<number> => {
  const { status, body } = await service.send('viewer', 'GET', tags, { at, headers })
  expect(status).toBe(200)
  return Number(body[0].name)
}
const write = async (version: number): Promise<string> => {
  const body = { name: String(version), color: '#abc' }
  const { status, headers } = await service.send('editor', 'PUT', `${tags}/${tagId}`, { body })
  expect(status).toBe(200)
  expect(headers.get('projection-status')).toBeNull()
  return headers.get('commit-position')!
}

const service = await own(startTestService())
const proxy = await own(startNotificationProxy(service.settings.DATABASE_URL!, () => fate()))
const other = await own(service.startAnother({ DATABASE_URL: proxy.url, PROCESS_ROLES: 'http' }))
beforeAll(async () => {
  const made = await service.send('editor', 'POST', tags, { body: { name: '0', color: '#abc' } })
  tagId = made.body.tagId
  await until(async () => (await service.send('viewer', 'GET', tags, { at: other.url })).body.length === 1)
})

describe('a list in memory', () => {
  it('is never stale on the writing node or for a named position, even without notifications', async () => {
    fate = () => {
      const chance = Math.random()
      if (chance < 0.05) return 'lost'
      return chance < 0.4 ? Math.random() * 100 : 0
    }
    let last = { version: 0, position: '0' }
    let done = 0
    const stale: string[] = []
    const writer = async () => {
      while (done < reads) {
        const version = last.version + 1
        last = { version, position: await write(version) }
      }
    }
    const reader = async (at: string, name: string, byPosition: boolean) => {
      while (done < reads) {
        const { version, position } = last
        const seen = await shown(at, byPosition ? { 'min-position': position } : {})
        if (seen < version) stale.push(`${name}: ${seen} instead of ${version}`)
        done += 1
      }
    }
    await Promise.all([
      writer(),
      ...Array.from({ length: 4 }, () => reader(service.url, 'the node that wrote', false)),
      ...Array.from({ length: 8 }, () => reader(other.url, 'the other node', true)),
    ])
    expect(stale).toEqual([])
    expect(last.version).toBeGreaterThan(10)
    expect(proxy.seen()).toBeGreaterThan(10)
    console.log(`${done} reads beside ${last.version} writes`)
  }, 900_000)

  it('is at most a second old on a node that gets no notifications', async () => {
    fate = () => 'lost'
    const first = 1_000_000
    for (let version = first; version < first + 3; version += 1) {
      await write(version)
      const written = performance.now()
      let lastStaleAt = written
      await until(async () => {
        const askedAt = performance.now()
        if ((await shown(other.url)) === version) return true
        lastStaleAt = askedAt
        return false
      })
      expect(lastStaleAt - written).toBeLessThanOrEqual(deafAfterMs)
    }
  })

  it('is current on every node that got the notification', async () => {
    fate = () => 0
    for (let version = 2_000_000; version < 2_000_020; version += 1) {
      await write(version)
      await until(async () => (await shown(other.url)) === version)
    }
  })
})

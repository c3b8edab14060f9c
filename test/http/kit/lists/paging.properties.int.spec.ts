import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { own } from '../../../support/own.ts'
import { sized } from '../../../support/size.ts'
import { startTestService } from '../../../support/testService.ts'

/** A cursor promises that a row which stays is shown, and shown once, while other rows come and go. */

const runs = sized(5, 50)
const tags = 'order-tags'

const service = await own(startTestService())

type Step =
  | { kind: 'page'; limit: number }
  | { kind: 'create' }
  | { kind: 'delete' | 'restore' | 'rename'; which: number }

const which = fc.nat({ max: 1_000 })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('page' as const), limit: fc.integer({ min: 1, max: 4 }) }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'create' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('delete' as const, 'restore' as const, 'rename' as const),
      which,
    }),
  },
)

interface Tag {
  readonly tagId: string
  name: string
  active: boolean
  /** It came, went or was renamed while the list was paged. */
  moved: boolean
}

const color = '#1f77b4'
/** Names in any order, upper and lower case, and never twice. */
let made = 0
const newName = () => {
  made += 1
  return `${'bQxAzM'[made % 6]}${(made * 7_919) % 10_007}-${made}`
}

describe('paging through a list that changes', () => {
  it('returns each unchanged record once, in order', async () => {
    const known = new Map<string, Tag>()
    const edit = async (method: string, path: string, body?: object) => {
      const { status, body: answer } = await service.send('editor', method, path, { ...(body && { body }) })
      expect(status).toBeLessThan(300)
      return answer
    }
    const create = async (moved: boolean) => {
      const name = newName()
      const { tagId } = await edit('POST', tags, { name, color })
      known.set(tagId, { tagId, name, active: true, moved })
    }
    const change = async ({ kind, which }: Step & { which: number }) => {
      const wanted = [...known.values()].filter(({ active }) => active === (kind !== 'restore'))
      const tag = wanted[which % wanted.length]
      if (!tag) return
      tag.moved = true
      if (kind === 'delete') await edit('DELETE', `${tags}/${tag.tagId}`)
      if (kind === 'restore') await edit('POST', `${tags}/${tag.tagId}/restore`)
      if (kind === 'rename') {
        tag.name = newName()
        await edit('PUT', `${tags}/${tag.tagId}`, { name: tag.name, color })
      } else tag.active = kind === 'restore'
    }
    for (let count = 0; count < 8; count += 1) await create(false)

    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 15 }), async (steps) => {
        for (const tag of known.values()) tag.moved = false
        const met: { tagId: string; name: string }[] = []
        let next: string | undefined = `/api/company/${service.companyId}/${tags}?limit=3`
        const page = async (limit: number) => {
          if (!next) return
          const answer = await service.send('viewer', 'GET', next.replace(/limit=\d+/, `limit=${limit}`))
          expect(answer.status).toBe(200)
          expect(answer.body.length).toBeLessThanOrEqual(limit)
          met.push(...answer.body)
          next = /^<(.*)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1]
        }
        for (const one of steps) {
          if (one.kind === 'page') await page(one.limit)
          else if (one.kind === 'create') await create(true)
          else await change(one)
        }
        while (next) await page(50)

        const keys = met.map(({ name, tagId }) => `${name.toUpperCase()} ${tagId}`)
        expect(keys).toEqual(keys.toSorted((a, b) => (a < b ? -1 : 1)))
        for (const { tagId, active, moved } of known.values()) {
          const times = met.filter((row) => row.tagId === tagId).length
          if (!moved) expect(times).toBe(active ? 1 : 0)
        }
      }),
      { numRuns: runs },
    )
  }, 600_000)
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Notice } from '../../../src/projections/projector/notice.ts'
import {
  heard,
  type News,
  reaches,
  type Standings,
  seen,
} from '../../../src/projections/reading/standings.ts'
import type { ProjectionState } from '../../../src/projections/schema/schema.ts'

/** What a node knows, whatever it hears and sees, in whatever order. */

const state = (name: string, position: number, more: Partial<ProjectionState> = {}): ProjectionState => ({
  ...{ name, version: 1, generation: 1, status: 'running', position, eventId: `${position}`, failure: null },
  ...more,
})
const standingsOf = (...states: ProjectionState[]): Standings => new Map(states.map((one) => [one.name, one]))
const notice = (from: number, to: number, more: Partial<Notice> = {}): Notice => ({
  ...{ from, to, stopped: [], changed: [{ companyId: 'c', projection: 'tags' }] },
  ...more,
})

describe('a notice', () => {
  const known = standingsOf(state('tags', 10), state('orders', 10))

  it('moves all that run, and names what changed', () => {
    const { standings, changes } = heard(known, notice(10, 12))
    expect([...standings.values()].map(({ position }) => position)).toEqual([12, 12])
    expect(changes).toEqual([{ companyId: 'c', projection: 'tags' }])
  })

  it('that begins later than what is known tells that anything may have changed', () => {
    expect(heard(known, notice(11, 12)).changes).toBe('*')
  })

  it('stops a projection where it is', () => {
    const { standings } = heard(known, notice(10, 12, { stopped: ['orders'] }))
    expect(standings.get('orders')).toMatchObject({ status: 'failed', position: 10 })
    expect(reaches(standings, ['tags'], 12)).toBe(true)
    expect(reaches(standings, ['tags', 'orders'], 12)).toBe(false)
    expect(reaches(standings, ['tags'], 13)).toBeUndefined()
    // And what has stopped is not moved by the next.
    expect(heard(standings, notice(12, 14)).standings.get('orders')).toMatchObject({ position: 10 })
  })
})

describe('a look', () => {
  it('is not believed where more has been heard meanwhile', () => {
    const before = standingsOf(state('tags', 10))
    const meanwhile = heard(before, notice(10, 12)).standings
    const { standings, changes } = seen(meanwhile, [state('tags', 11)], before)
    expect(standings.get('tags')).toMatchObject({ position: 12 })
    expect(changes).toEqual([])
  })

  it('is believed when the rows have gone back: they are of another history', () => {
    const before = standingsOf(state('tags', 10))
    const { standings, changes } = seen(before, [state('tags', 4)], before)
    expect(standings.get('tags')).toMatchObject({ position: 4 })
    expect(changes).toBe('*')
  })

  it('finds a switch to other tables, at the same position', () => {
    const before = standingsOf(state('tags', 10))
    const { changes } = seen(before, [state('tags', 10, { generation: 2 })], before)
    expect(changes).toBe('*')
  })

  it('finds one that runs again behind where it was', () => {
    const before = standingsOf(state('tags', 10, { status: 'failed' }))
    const { standings } = seen(before, [state('tags', 10), state('orders', 10)], before)
    expect(standings.get('tags')).toMatchObject({ status: 'running' })
  })
})

/** What may happen next: notices come in order, or are lost; a look shows the rows as they were when it began. */
const happening = fc.constantFrom('commit', 'deliver', 'lose', 'begin look', 'end look')

it('nothing is shown as reached that was not announced, nothing goes back, and a look brings all', () => {
  const run = (happenings: readonly string[]): void => {
    let standings = standingsOf(state('tags', 0), state('orders', 0))
    /** One a commit, each of a company of its own; commit `n` brings position `n`. */
    const notices: Notice[] = []
    const announced = new Set<number>()
    let delivered = 0
    let looking: { rows: ProjectionState[]; before: Standings } | undefined
    const take = ({ standings: next, changes }: News) => {
      if (changes === '*') for (const { to } of notices) announced.add(to)
      else for (const { companyId } of changes) announced.add(Number(companyId))
      for (const [name, { position }] of next)
        expect(position).toBeGreaterThanOrEqual(standings.get(name)!.position)
      standings = next
    }
    for (const what of [...happenings, 'end look', 'begin look', 'end look']) {
      const now = notices.length
      if (what === 'commit')
        notices.push(notice(now, now + 1, { changed: [{ companyId: `${now + 1}`, projection: 'tags' }] }))
      if (what === 'deliver' && delivered < now) take(heard(standings, notices[delivered++]!))
      if (what === 'lose' && delivered < now) delivered++
      if (what === 'begin look' && !looking)
        looking = { rows: [state('tags', now), state('orders', now)], before: standings }
      if (what === 'end look' && looking) {
        take(seen(standings, looking.rows, looking.before))
        looking = undefined
      }
      const reached = Math.min(...[...standings.values()].map(({ position }) => position))
      for (let commit = 1; commit <= reached; commit++) expect(announced.has(commit), `${commit}`).toBe(true)
    }
    expect([...standings.values()].map(({ position }) => position)).toEqual([notices.length, notices.length])
  }
  fc.assert(fc.property(fc.array(happening, { maxLength: 40 }), run), { numRuns: 2_000 })
})

import { describe, expect, it } from 'vitest'
import {
  type CountedBar,
  lastWeeks,
  statesOfWeek,
  stockOfWeek,
  waitingByAge,
} from '../../src/portal/screens/figures/figures.ts'

const monday = Date.parse('2026-11-23T00:00:00Z')
const bar: CountedBar = {
  status: 'Completed',
  stockLengthMm: 6_000,
  remnantMm: 1_000,
  cuts: [
    { status: 'Accepted', lengthMm: 3_000 },
    { status: 'Scrapped', lengthMm: 2_000 },
  ],
  createdAt: '2026-11-10T08:00:00Z',
  approvedAt: '2026-11-11T08:00:00Z',
  startedAt: '2026-11-17T08:00:00Z',
  completedAt: '2026-11-24T08:00:00Z',
}

describe('the figures', () => {
  it('have weeks from Monday to Sunday', () => {
    const weeks = [monday - 7 * 24 * 3_600_000, monday]
    expect(lastWeeks(monday, 2)).toEqual(weeks)
    expect(lastWeeks(Date.parse('2026-11-29T23:59:59Z'), 2)).toEqual(weeks)
  })

  it('say what became of the stock that was completed in a week', () => {
    const other = { ...bar, completedAt: '2026-11-30T00:00:00Z' }
    expect(stockOfWeek([bar, other], monday)).toEqual({ usedMm: 3_000, scrapMm: 2_000, remnantMm: 1_000 })
  })

  it('count the open bars at the end of each week, and those that it completed', () => {
    const [first, second, third] = lastWeeks(monday, 3) as [number, number, number]
    const draft = { ...bar, approvedAt: null, startedAt: null, completedAt: null }
    const counted = (week: number) => statesOfWeek([bar, draft], week)
    expect(counted(first)).toEqual({ Draft: 1, Approved: 1, Started: 0, Completed: 0 })
    expect(counted(second)).toEqual({ Draft: 1, Approved: 0, Started: 1, Completed: 0 })
    expect(counted(third)).toEqual({ Draft: 1, Approved: 0, Started: 0, Completed: 1 })
  })

  it('count each waiting certificate in one age', () => {
    const registered = ['2026-11-23T00:00:01Z', '2026-11-22T00:00:00Z', '2026-10-01T00:00:00Z']
    expect(waitingByAge(registered, monday)).toEqual([1, 1, 0, 0, 1])
  })
})

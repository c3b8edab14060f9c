/** Figures of a company, counted from its bars and certificates. */

const dayMs = 24 * 3_600_000
const weekMs = 7 * dayMs

export interface CountedBar {
  readonly status: string
  readonly stockLengthMm: number
  readonly remnantMm: number
  readonly cuts: readonly { readonly status: string; readonly lengthMm: number }[]
  readonly createdAt: string
  readonly approvedAt: string | null
  readonly startedAt: string | null
  readonly completedAt: string | null
}

/** Return the Mondays at 0:00 UTC with which the last weeks begin, in milliseconds, oldest first. */
export function lastWeeks(nowMs: number, count: number): readonly number[] {
  // 5 January 1970 was a Monday.
  const monday = Math.floor((nowMs - 4 * dayMs) / weekMs) * weekMs + 4 * dayMs
  return Array.from({ length: count }, (_, index) => monday - (count - 1 - index) * weekMs)
}

function isWithin(at: string | null, weekMsFrom: number): boolean {
  const ms = at === null ? Number.NaN : Date.parse(at)
  return ms >= weekMsFrom && ms < weekMsFrom + weekMs
}

/** The stock of the bars that were completed in a week became this, in mm. */
export function stockOfWeek(bars: readonly CountedBar[], week: number) {
  const completed = bars.filter(({ completedAt }) => isWithin(completedAt, week))
  const sum = (lengthOf: (bar: CountedBar) => number) =>
    completed.reduce((total, bar) => total + lengthOf(bar), 0)
  const scrapMm = sum(({ cuts }) =>
    cuts.filter(({ status }) => status === 'Scrapped').reduce((total, { lengthMm }) => total + lengthMm, 0),
  )
  const remnantMm = sum((bar) => bar.remnantMm)
  return { usedMm: sum(({ stockLengthMm }) => stockLengthMm) - remnantMm - scrapMm, scrapMm, remnantMm }
}

/** How many bars were open at the end of a week, by state, and how many were completed in it. */
export function statesOfWeek(bars: readonly CountedBar[], week: number) {
  const end = week + weekMs
  const isPast = (at: string | null) => at !== null && Date.parse(at) < end
  const counts = { Draft: 0, Approved: 0, Started: 0, Completed: 0 }
  for (const { createdAt, approvedAt, startedAt, completedAt } of bars) {
    if (!isPast(createdAt)) continue
    if (isPast(completedAt)) counts.Completed += Number(isWithin(completedAt, week))
    else if (isPast(startedAt)) counts.Started += 1
    else if (isPast(approvedAt)) counts.Approved += 1
    else counts.Draft += 1
  }
  return counts
}

/** The first day of each age of a certificate that waits for its release. */
export const ages = [0, 1, 3, 7, 30] as const

/** Count the certificates of each age. */
export function waitingByAge(registered: readonly string[], nowMs: number): readonly number[] {
  const days = registered.map((at) => (nowMs - Date.parse(at)) / dayMs)
  return ages.map((from, index) => {
    const to = ages[index + 1] ?? Number.POSITIVE_INFINITY
    return days.filter((age) => (index === 0 || age >= from) && age < to).length
  })
}

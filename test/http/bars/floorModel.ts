/**
 * A model of the floor, in as few lines as possible and without any code of the service: bars for two line items, and
 * for each request the code of its refusal, if it is refused.
 */

export type Step =
  | { readonly what: 'plan'; readonly cuts: readonly ModelCut[]; readonly certificate: number }
  | { readonly what: 'reuse'; readonly bar: number; readonly pieces: number }
  | { readonly what: 'approve' | 'start' | 'complete' | 'cancel'; readonly bar: number }
  | { readonly what: 'revert'; readonly bar: number; readonly to: 'Draft' | 'Approved' | 'Started' }
  | { readonly what: 'scrap'; readonly bar: number; readonly cut: number }
  | { readonly what: 'cut'; readonly bar: number; readonly cut: number; readonly to: ModelCut['status'] }
  | { readonly what: 'swap'; readonly bar: number; readonly certificate: number }

export interface ModelCut {
  readonly line: number
  status: 'Proposed' | 'Accepted' | 'Rejected' | 'Scrapped'
}

export interface ModelBar {
  status: 'Draft' | 'Approved' | 'Started' | 'Completed' | 'Cancelled'
  readonly stockMm: number
  certificate: number
  readonly cuts: ModelCut[]
  /** The place of the bar whose remnant it is; null for new stock. */
  readonly from: number | null
}

/** The length of each piece, and of new stock. */
export const pieceMm = 1_500
export const stockMm = 6_000
const ranks = ['Draft', 'Approved', 'Started', 'Completed']

export function remnantOf({ stockMm, cuts }: ModelBar): number {
  return stockMm - pieceMm * cuts.filter(({ status }) => status !== 'Rejected').length
}

function isUsed(bars: readonly ModelBar[], source: number): boolean {
  return bars.some(({ from, status }) => from === source && status !== 'Cancelled')
}

/** Carry out a step. Return the code of the refusal, if it is refused. */
export function carryOut(bars: ModelBar[], step: Step): string | undefined {
  if (step.what === 'plan') {
    const cuts = step.cuts.map((cut) => ({ ...cut }))
    const bar: ModelBar = { status: 'Draft', stockMm, certificate: step.certificate, cuts, from: null }
    if (remnantOf(bar) < 0) return 'validation-failed'
    bars.push(bar)
    return undefined
  }
  const bar = bars[step.bar]!
  const { status } = bar
  switch (step.what) {
    case 'reuse': {
      const wantedMm = step.pieces * pieceMm
      if (status !== 'Completed' || wantedMm > remnantOf(bar)) return 'validation-failed'
      if (isUsed(bars, step.bar)) return 'remnant-used'
      const { certificate } = bar
      const cuts: ModelCut[] = [{ line: 0, status: 'Accepted' }]
      bars.push({ status: 'Draft', stockMm: wantedMm, certificate, cuts, from: step.bar })
      return undefined
    }
    case 'approve':
      return move(bar, 'Draft', 'Approved', 'bar-not-draft')
    case 'start':
      return move(bar, 'Approved', 'Started', 'bar-not-approved')
    case 'complete':
      return move(bar, 'Started', 'Completed', 'bar-not-started')
    case 'cancel':
      if (status === 'Started' || status === 'Completed') return 'bar-not-cancellable'
      bar.status = 'Cancelled'
      return undefined
    case 'revert':
      if (ranks.indexOf(status) <= ranks.indexOf(step.to)) return 'bar-not-revertible'
      if (status === 'Completed' && isUsed(bars, step.bar)) return 'remnant-used'
      bar.status = step.to
      return undefined
    case 'swap':
      if (status === 'Cancelled') return 'bar-cancelled'
      bar.certificate = step.certificate
      return undefined
    case 'scrap': {
      const cut = bar.cuts[step.cut]!
      if (cut.status === 'Scrapped') return undefined
      if (cut.status !== 'Accepted' || (status !== 'Started' && status !== 'Completed'))
        return 'cut-not-scrappable'
      cut.status = 'Scrapped'
      return undefined
    }
    case 'cut': {
      const cut = bar.cuts[step.cut]!
      if (status === 'Cancelled') return 'bar-cancelled'
      if (status === 'Completed') return 'bar-completed'
      if (cut.status === 'Scrapped') return 'cut-scrapped'
      const neededMm = cut.status === 'Rejected' && step.to !== 'Rejected' ? pieceMm : 0
      if (neededMm > remnantOf(bar)) return 'bar-overfull'
      cut.status = step.to
      return undefined
    }
  }
}

function move(bar: ModelBar, from: string, to: ModelBar['status'], code: string): string | undefined {
  if (bar.status !== from) return code
  bar.status = to
  return undefined
}

/** The state of each piece of a bar in the recall of a certificate; undefined when the bar is not in it. */
export function recalledPieces(
  bars: readonly ModelBar[],
  bar: ModelBar,
  certificate: number,
): string[] | undefined {
  if (bar.status === 'Cancelled' || !isOfSteel(bars, bar, certificate)) return undefined
  const whole = bar.status === 'Completed' ? 'cut' : 'planned'
  return bar.cuts.flatMap(({ status }) => {
    if (status === 'Scrapped') return ['scrapped']
    if (status === 'Proposed') return bar.status === 'Completed' ? [] : ['proposed']
    return status === 'Accepted' ? [whole] : []
  })
}

/** A remnant is of the steel of its source, even if the source got its certificate later. */
function isOfSteel(bars: readonly ModelBar[], bar: ModelBar, certificate: number): boolean {
  const isFrom = bar.from !== null && isOfSteel(bars, bars[bar.from]!, certificate)
  return bar.certificate === certificate || isFrom
}

/** The status of a line item, counted anew from all cuts. */
export function lineStatus(bars: readonly ModelBar[], line: number): string {
  const on = bars
    .filter(({ status }) => status !== 'Cancelled')
    .flatMap((bar) =>
      bar.cuts.filter((cut) => cut.line === line && cut.status === 'Accepted').map(() => bar.status),
    )
  if (on.length > 0 && on.every((status) => status === 'Completed')) return 'Completed'
  return on.some((status) => status === 'Started' || status === 'Completed') ? 'In Progress' : 'Open'
}

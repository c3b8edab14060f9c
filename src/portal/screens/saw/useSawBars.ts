import type { ListedProductionPlanBar } from '../../api/generated.ts'
import { pollEvery } from '../../api/queries.ts'
import { afterTaps } from '../../taps/taps.ts'
import { useTaps } from '../../taps/useTaps.ts'
import { useBarById, useManyBars } from '../bars/openBars.ts'

/** A bar as it is after the taps on it, with the time at which this device has read it. */
export interface SawnBar {
  readonly bar: ListedProductionPlanBar
  readonly readAtMs: number
}

/**
 * Read the bars that can be sawn, and the open one, which may be in any state. Without a network the open bar comes
 * from the list.
 */
export function useSawBars(barId: string | undefined) {
  const every = barId === undefined ? pollEvery.bars : pollEvery.list
  const list = useManyBars({ status: ['Approved', 'Started'] }, { every, isKept: true })
  const single = useBarById(barId, { enabled: barId !== undefined, isKept: true })
  const taps = useTaps()
  const rowsOf = ({ rows = [], readAtMs }: Pick<typeof list, 'rows' | 'readAtMs'>): readonly SawnBar[] =>
    rows.map((bar) => ({ bar: afterTaps(bar, readAtMs, taps), readAtMs }))
  const all = rowsOf(list)
  const [newest] = [...rowsOf(single), ...all]
    .filter(({ bar }) => bar.barId === barId)
    .toSorted((one, other) => other.readAtMs - one.readAtMs)
  return {
    bars: all.filter(({ bar }) => bar.status === 'Approved' || bar.status === 'Started'),
    open: newest,
    /** There is no bar with this id. */
    isMissing: barId !== undefined && !newest && single.rows !== undefined && !single.error,
    isRead: list.rows !== undefined,
    /** Whether a bar that is not among `bars` cannot be sawn. */
    isComplete: list.isComplete,
    readAtMs: Math.max(list.readAtMs, single.readAtMs),
    error: barId === undefined ? list.error : (single.error ?? list.error),
  }
}

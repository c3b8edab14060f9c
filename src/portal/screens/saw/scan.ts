import { heatOfSteel } from '../../../domain/bars/heatOfSteel.ts'
import { isNearNumber, isSameNumber } from '../../../domain/kernel/spellings.ts'

/** The saw finds out what a scanned or typed text means. */

/** The members of a bar that a scan looks at. */
interface Scannable {
  readonly barId: string
  readonly status: string
  readonly certificate?: { readonly heatNumber: string } | null
  readonly heatRead: { readonly heatNumber: string } | null
}

export type Scan =
  /** The id of a bar, which may be on none of the lists. */
  | { readonly kind: 'bar'; readonly barId: string }
  /** Bars that have the heat, or whose ids begin so. There is at least one. */
  | { readonly kind: 'bars'; readonly barIds: readonly string[] }
  /** Bars whose heats look like this one. No bar has the heat itself. */
  | { readonly kind: 'nearBars'; readonly barIds: readonly string[] }
  /** The heat of the open bar, which has none yet. */
  | { readonly kind: 'setHeat'; readonly heatNumber: string }
  /** The open bar has this heat. */
  | { readonly kind: 'sameHeat' }
  /** The heat of the open bar looks like this one. */
  | { readonly kind: 'nearHeat'; readonly heatNumber: string }
  /** No bar has it. */
  | { readonly kind: 'unknown' }

/**
 * Return the id at the end of a text: the QR code of a label holds an address that ends with the bar's id. A scanner with
 * an American keyboard types `ß` for `-` on a German computer.
 */
export function barIdIn(text: string): string | undefined {
  return /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
    .exec(text.trim().replaceAll('ß', '-'))?.[0]
    .toLowerCase()
}

/** Lists and messages show this many characters of an id. */
const shortIdLength = 8

/**
 * @param bars all bars that can be chosen
 * @param open the bar on the screen
 * @param heat whether a heat may be set, and whether the person has asked to set that of the open bar
 */
export function readScan(
  text: string,
  bars: readonly Scannable[],
  open: Scannable | undefined,
  heat: { readonly maySet: boolean; readonly isAsked: boolean },
): Scan {
  const id = barIdIn(text)
  if (id !== undefined) return { kind: 'bar', barId: id }
  const heatNumber = text.trim()
  if (open && isNearHeatOf(open, heatNumber)) return { kind: 'nearHeat', heatNumber: heatOfSteel(open)! }
  if (open && (heat.isAsked || (heat.maySet && needsHeat(open)))) return { kind: 'setHeat', heatNumber }
  if (open && isHeatOf(open, heatNumber)) return { kind: 'sameHeat' }
  const matches = bars.filter((bar) => isHeatOf(bar, heatNumber) || isShortIdOf(bar, heatNumber))
  if (matches.length > 0) return { kind: 'bars', barIds: matches.map(({ barId }) => barId) }
  const nearBars = bars.filter((bar) => isNearHeatOf(bar, heatNumber))
  return nearBars.length > 0
    ? { kind: 'nearBars', barIds: nearBars.map(({ barId }) => barId) }
    : { kind: 'unknown' }
}

function needsHeat(bar: Scannable): boolean {
  return heatOfSteel(bar) === undefined && bar.status !== 'Completed' && bar.status !== 'Cancelled'
}

function isHeatOf(bar: Scannable, heatNumber: string): boolean {
  const heat = heatOfSteel(bar)
  return heat !== undefined && isSameNumber(heat, heatNumber)
}

function isNearHeatOf(bar: Scannable, heatNumber: string): boolean {
  const heat = heatOfSteel(bar)
  return heat !== undefined && isNearNumber(heat, heatNumber)
}

function isShortIdOf({ barId }: Scannable, text: string): boolean {
  return text.length >= shortIdLength && barId.startsWith(text.toLowerCase())
}

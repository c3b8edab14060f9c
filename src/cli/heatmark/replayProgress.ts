import type { ReplayProgress } from '../../projections/operations/progress.ts'
import { bar, clearLine, type Output } from '../progress.ts'

/** Where there is no terminal a line is written this often, and whenever the status changes. */
const lineEvery = 10

function textOf({ status, position, target, eventsPerSecond, etaSeconds }: ReplayProgress): string {
  // How far there is to go is not known before the first look at the store.
  if (target === 0) return 'beginning'
  const rest = etaSeconds === undefined ? '' : `, ${etaSeconds} s to go`
  return status === 'stalled'
    ? `stalled at position ${position} of ${target}: no event for a minute`
    : `at position ${position} of ${target}, ${eventsPerSecond} events/s${rest}`
}

/** Shows how far a replay is: as a bar on a terminal, as plain lines now and then elsewhere. */
export function showReplay(output: Output) {
  let shown = 0
  let last: ReplayProgress['status'] = 'running'
  return {
    progress(progress: ReplayProgress) {
      const { status } = progress
      if (output.isTTY) {
        output.write(`${clearLine}${bar(progress.progress)} ${textOf(progress)}`)
      } else if (status !== last || ++shown % lineEvery === 0) {
        output.write(`${textOf(progress)}\n`)
      }
      last = status
    },
    /** Takes the bar away. */
    end() {
      if (output.isTTY) output.write(clearLine)
    },
  }
}

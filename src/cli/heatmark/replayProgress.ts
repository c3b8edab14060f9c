import type { ReplayProgress } from '../../projections/engine/operations/progress.ts'
import { bar, clearLine, type Output } from '../progress.ts'

/** Without a terminal, one of this many reports is written, and every change of the status. */
const lineEvery = 10

/** Show the progress of a replay: a bar on a terminal, some plain lines elsewhere. */
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
    /** Remove the bar. */
    end() {
      if (output.isTTY) output.write(clearLine)
    },
  }
}

function textOf({ status, position, target, eventsPerSecond, etaSeconds }: ReplayProgress): string {
  // The target is unknown until the first look at the store.
  if (target === 0) return 'beginning'
  const rest = etaSeconds === undefined ? '' : `, ${etaSeconds} s to go`
  return status === 'stalled'
    ? `stalled at position ${position} of ${target}: no event for a minute`
    : `at position ${position} of ${target}, ${eventsPerSecond} events/s${rest}`
}

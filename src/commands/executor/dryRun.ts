import { createShares } from '../../admission/shares.ts'
import { Refusal } from '../../domain/kernel/refusal.ts'
import type { Loaded } from './loaded.ts'

/**
 * A dry run decides commands as they would be decided one after the other, and records nothing. It keeps the state in
 * which each command would have left its stream, because a later command of the run may concern the same stream.
 */
export interface DryRun {
  /**
   * Return the state in which earlier commands of this run would have left the stream; undefined when there were none.
   * @throws Refusal `too-busy` when there was no room to keep it
   */
  stateOf(stream: string): Loaded<unknown> | undefined
  keep(stream: string, loaded: Loaded<unknown>): void
  /** Forget the states. */
  end(): void
}

export type BeginDryRun = (caller: string) => DryRun

/** Create a way to begin dry runs, whose states together take at most `maxBytes`, and those of one caller a quarter. */
export function createDryRuns(maxBytes: number): BeginDryRun {
  const held = createShares()
  const hasRoom = (caller: string, bytes: number): boolean =>
    held.total() + bytes <= maxBytes && held.of(caller) + bytes <= maxBytes / 4
  return (caller) => {
    const states = new Map<string, Loaded<unknown> | undefined>()
    let hasEnded = false
    const drop = (stream: string) => {
      held.add(caller, -(states.get(stream)?.bytes ?? 0))
      states.set(stream, undefined)
    }
    return {
      stateOf(stream) {
        if (states.has(stream) && !states.get(stream)) throw noRoom()
        return states.get(stream)
      },
      keep(stream, loaded) {
        drop(stream)
        if (hasEnded || !hasRoom(caller, loaded.bytes)) return
        held.add(caller, loaded.bytes)
        states.set(stream, loaded)
      },
      end() {
        hasEnded = true
        for (const stream of states.keys()) drop(stream)
        states.clear()
      },
    }
  }
}

function noRoom(): Refusal {
  return new Refusal(
    'too-busy',
    'An earlier line of this dry run changes the same record, and dry runs, or yours alone, hold as much memory as they may. Try again later, or with fewer lines.',
  )
}

import { isBehind, type Place } from './standings.ts'
import { catchUpWithinMs } from './waitFor.ts'

/**
 * How far the reads of this node have shown each projection. A read may show a batch before the node hears of it. If
 * PostgreSQL crashes in between, the batch can be lost and no notice of it comes, but somebody has seen it.
 */
export interface Shown {
  /** The place that was shown last; undefined when the projector has had the time to write lost rows again. */
  of(name: string): Place | undefined
  note(states: readonly NamedPlace[]): void
}

type NamedPlace = Place & { readonly name: string }

/** @param clock milliseconds that never run backwards */
export function createShown(clock: () => number): Shown {
  const shown = new Map<string, { readonly place: Place; readonly at: number }>()
  function of(name: string): Place | undefined {
    const last = shown.get(name)
    return last && clock() - last.at < catchUpWithinMs ? last.place : undefined
  }
  return {
    of,
    note(states) {
      for (const place of states)
        if (!isBehind(place, of(place.name))) shown.set(place.name, { place, at: clock() })
    },
  }
}

import { isBehind, type Place } from './knownStates.ts'
import { catchUpWithinMs } from './waitFor.ts'

/**
 * How far the reads of this node have shown each projection. A read may show a batch before the node hears of it. If
 * PostgreSQL crashes in between, the batch can be lost and no notice of it comes, but somebody has seen it.
 */
export interface ShownPlaces {
  /** Return the newest place that was shown. */
  of(name: string): Place | undefined
  /**
   * True if a state is behind the place that was shown before it was read, and the projector may still write the lost
   * rows again. Rows that stay behind for longer belong to another history.
   */
  isTakenBack(state: NamedPlace, before: Place | undefined): boolean
  note(states: readonly NamedPlace[]): void
}

type NamedPlace = Place & { readonly name: string }

interface Last {
  readonly place: Place
  /** When, by the clock, reads began to find less; undefined while they do not. */
  behindSince: number | undefined
}

/** @param clock milliseconds that never run backwards */
export function createShownPlaces(clock: () => number): ShownPlaces {
  const shown = new Map<string, Last>()
  function mayCatchUp({ behindSince }: Last): boolean {
    return behindSince === undefined || clock() - behindSince < catchUpWithinMs
  }
  return {
    of: (name) => shown.get(name)?.place,
    isTakenBack(state, before) {
      const last = shown.get(state.name)
      if (!last || !isBehind(state, before)) return false
      last.behindSince ??= clock()
      return mayCatchUp(last)
    },
    note(states) {
      for (const place of states) {
        const last = shown.get(place.name)
        if (last && isBehind(place, last.place) && mayCatchUp(last)) continue
        shown.set(place.name, { place, behindSince: undefined })
      }
    },
  }
}

import type { Recorded } from '../../domain/kernel/event.ts'

/** Finds holes in streams, whose revisions count from 0. It holds the last revision of each stream in memory. */
interface Revisions {
  /** Return the revision that is missing before the event, which is the next of its stream; undefined for none. */
  holeBefore(event: Pick<Recorded, 'streamName' | 'revision'>): number | undefined
}

export function createRevisions(): Revisions {
  const last = new Map<string, number>()
  return {
    holeBefore({ streamName, revision }) {
      const expected = (last.get(streamName) ?? -1) + 1
      last.set(streamName, revision)
      return revision === expected ? undefined : expected
    },
  }
}

import { LRUCache } from 'lru-cache'
import type { Changes } from './standings.ts'
import type { Named, Positions } from './waitFor.ts'

/**
 * The cache keeps values that were read of one company until this node hears that they have changed. It never answers
 * a value that a read begun at that time could not answer as well.
 */

/** A value as it was read, with the position of the snapshot that it was read from. */
export interface ReadValue<Value> {
  readonly value: Value
  readonly position: number
}

export interface ReadCache<Value> {
  /** The value kept under this name, else as `read` reads it: once for all who ask meanwhile. */
  get(subject: Subject, read: () => Promise<ReadValue<Value>>): Promise<ReadValue<Value>>
}

export interface Subject {
  readonly companyId: string
  /** Unique within the company. */
  readonly name: string
  /** The projections that it is read from. */
  readonly reads: readonly Named[]
}

/** Called as things happen, for metrics. */
export interface CacheObserver {
  /** A value was asked for, and was there (or under way already), or not. */
  asked?(hit: boolean): void
  /** Told once how to ask for the size of all that is kept. */
  holds?(size: () => number): void
}

export interface ReadCacheOptions<Value> {
  readonly positions: Pick<Positions, 'heard' | 'onChange' | 'lastHeardAt'>
  /** Bound of all values together, in what `sizeOf` counts. */
  readonly maxSize: number
  readonly sizeOf: (value: Value, subject: Subject) => number
  /** The clock of `positions`. */
  readonly clock: () => number
  readonly observe?: CacheObserver
}

/** About what an entry takes besides its value and its name, for sizes in bytes. */
export const entryBytes = 1_000

/** A node that has heard nothing for this long does not know what has changed. */
export const deafAfterMs = 1_000

interface Entry<Value> {
  readonly subject: Subject
  readonly pending: Promise<ReadValue<Value>>
  /** Something that it was read from has changed since the read began. */
  changed: boolean
}

export function createReadCache<Value>({
  positions,
  maxSize,
  sizeOf,
  clock,
  observe,
}: ReadCacheOptions<Value>): ReadCache<Value> {
  const entries = createEntries<Value>()
  /** Decides who goes when there is no more room; entries being read are not in it yet. */
  const kept = new LRUCache<Entry<Value>, true>({ maxSize, dispose: (_, entry) => entries.delete(entry) })
  observe?.holds?.(() => kept.calculatedSize)

  const drop = (entry: Entry<Value>): void => {
    entry.changed = true
    entries.delete(entry)
    kept.delete(entry)
  }
  positions.onChange((changes) => {
    for (const entry of entries.readFrom(changes)) drop(entry)
  })

  const start = (subject: Subject, read: () => Promise<ReadValue<Value>>): Entry<Value> => {
    const entry: Entry<Value> = { subject, pending: read(), changed: false }
    entries.add(entry)
    entry.pending.then(
      ({ value }) => {
        if (entry.changed) return
        const size = Math.max(1, sizeOf(value, subject))
        if (size > maxSize) entries.delete(entry)
        else kept.set(entry, true, { size })
      },
      () => entries.delete(entry),
    )
    return entry
  }

  /** This read may show more than this node has heard of, so no entry from before may be answered after it. */
  const readDeaf = async (subject: Subject, read: () => Promise<ReadValue<Value>>) => {
    const fresh = await read()
    const known = entries.get(subject)
    if (known) drop(known)
    return fresh
  }

  return {
    async get(subject, read) {
      if (clock() - positions.lastHeardAt > deafAfterMs) {
        observe?.asked?.(false)
        return readDeaf(subject, read)
      }
      const known = entries.get(subject)
      observe?.asked?.(known !== undefined)
      if (known) kept.get(known)
      // Whatever is kept shows this position too: all that was heard up to here did not change it.
      const heard = positions.heard(subject.reads)
      const { value, position } = await (known ?? start(subject, read)).pending
      return { value, position: Math.max(position, heard) }
    },
  }
}

/** Entries by company and name. */
function createEntries<Value>() {
  const byCompany = new Map<string, Map<string, Entry<Value>>>()
  return {
    get: ({ companyId, name }: Subject): Entry<Value> | undefined => byCompany.get(companyId)?.get(name),
    add(entry: Entry<Value>): void {
      const { companyId, name } = entry.subject
      const entries = byCompany.get(companyId) ?? new Map<string, Entry<Value>>()
      byCompany.set(companyId, entries.set(name, entry))
    },
    /** Another entry of that name stays. */
    delete(entry: Entry<Value>): void {
      const { companyId, name } = entry.subject
      const entries = byCompany.get(companyId)
      if (entries?.get(name) !== entry) return
      entries.delete(name)
      if (entries.size === 0) byCompany.delete(companyId)
    },
    /** The entries that were read from something that changed; they may be deleted meanwhile. */
    *readFrom(changes: Changes): Iterable<Entry<Value>> {
      if (changes === '*') {
        for (const entries of byCompany.values()) yield* entries.values()
        return
      }
      for (const { companyId, projection } of changes) {
        const touched = companyId === '' ? byCompany.values() : [byCompany.get(companyId) ?? new Map()]
        for (const entries of touched)
          for (const entry of entries.values())
            if (entry.subject.reads.some(({ name }: Named) => name === projection)) yield entry
      }
    },
  }
}

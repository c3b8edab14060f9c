import { LRUCache } from 'lru-cache'
import type { Changes } from './knownStates.ts'
import type { Named, Positions } from './waitFor.ts'

/**
 * The cache keeps values of one company until this node hears that they have changed. It never answers a value that
 * a read begun at the same time could not return.
 */

/** A value as it was read, with the position of the snapshot that it was read from. */
export interface ReadValue<Value> {
  readonly value: Value
  readonly position: number
}

export interface ReadCache<Value> {
  /** Return the cached value. If there is none, read it, once for all requests that ask meanwhile. */
  get(subject: Subject, read: () => Promise<ReadValue<Value>>): Promise<ReadValue<Value>>
  /** Return the cached value at once; undefined if it has to be read. */
  recall(subject: Subject): ReadValue<Value> | undefined
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
  /** Called for each look-up. A value that is being read counts as a hit. */
  onLookUp?(hit: boolean): void
  /** Called once, with a function that returns the cache size. */
  holds?(size: () => number): void
}

interface ReadCacheOptions<Value> {
  readonly positions: Pick<Positions, 'positionOf' | 'onChange' | 'lastHeardAt'>
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
  /** The names of the projections that it is read from. */
  readonly reads: ReadonlySet<string>
  readonly pending: Promise<ReadValue<Value>>
  /** Undefined while it is being read. */
  current?: ReadValue<Value>
  /** True if one of its read models has changed since the read began. */
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
  /** Drops the least recently used entries when there is no more room. Entries that are being read are not in it yet. */
  const lru = new LRUCache<Entry<Value>, true>({ maxSize, dispose: (_, entry) => entries.delete(entry) })
  observe?.holds?.(() => lru.calculatedSize)

  const drop = (entry: Entry<Value>): void => {
    entry.changed = true
    entries.delete(entry)
    lru.delete(entry)
  }
  positions.onChange((changes) => {
    for (const entry of entries.readFrom(changes)) drop(entry)
  })

  const start = (subject: Subject, read: () => Promise<ReadValue<Value>>): Entry<Value> => {
    const reads = new Set(subject.reads.map(({ name }) => name))
    const entry: Entry<Value> = { subject, reads, pending: read(), changed: false }
    entries.add(entry)
    entry.pending.then(
      (read) => {
        if (entry.changed) return
        const { value } = read
        entry.current = read
        const size = Math.max(1, sizeOf(value, subject))
        if (size > maxSize) entries.delete(entry)
        else lru.set(entry, true, { size })
      },
      () => entries.delete(entry),
    )
    return entry
  }

  /** Read past the cache. The value may be newer than all notices, so the cached entry may not be answered after it. */
  const readDeaf = async (subject: Subject, read: () => Promise<ReadValue<Value>>) => {
    const fresh = await read()
    const entry = entries.get(subject)
    if (entry) drop(entry)
    return fresh
  }

  const isDeaf = (): boolean => clock() - positions.lastHeardAt > deafAfterMs

  return {
    async get(subject, read) {
      if (isDeaf()) {
        observe?.onLookUp?.(false)
        return readDeaf(subject, read)
      }
      const entry = entries.get(subject)
      observe?.onLookUp?.(entry !== undefined)
      if (entry) lru.get(entry)
      // No change up to this position concerned this entry.
      const heard = positions.positionOf(subject.reads)
      const { value, position } = await (entry ?? start(subject, read)).pending
      return { value, position: Math.max(position, heard) }
    },
    recall(subject) {
      const entry = entries.get(subject)
      if (!entry?.current || isDeaf()) return undefined
      observe?.onLookUp?.(true)
      lru.get(entry)
      const { value, position } = entry.current
      return { value, position: Math.max(position, positions.positionOf(subject.reads)) }
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
    /** Return the entries that were read from something that changed. */
    readFrom(changes: Changes): readonly Entry<Value>[] {
      if (changes === '*') return [...byCompany.values()].flatMap((entries) => [...entries.values()])
      const stale: Entry<Value>[] = []
      for (const { companyId, projection } of changes) {
        const touched =
          companyId === ''
            ? byCompany.values()
            : [byCompany.get(companyId) ?? new Map<string, Entry<Value>>()]
        for (const entries of touched)
          for (const entry of entries.values()) if (entry.reads.has(projection)) stale.push(entry)
      }
      return stale
    },
  }
}

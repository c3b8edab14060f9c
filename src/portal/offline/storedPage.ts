import type { QueryClient, QueryKey } from '@tanstack/react-query'
import {
  aheadOfDevice,
  type SessionEnds,
  sessionEndHere,
  sessionEnds,
  setAheadOfDevice,
  setSessionEnds,
} from '../api/client.ts'
import type { Me } from '../api/generated.ts'

/**
 * A reload without a network cannot ask who is logged in and what there is to saw, so a tab keeps both. They are in
 * `sessionStorage`, so they end with the tab, and they count only until the session ends.
 */

interface StoredPage {
  /** Without the name, which no screen needs to work. */
  readonly person: Me
  /** How many milliseconds the clock of the service is ahead of this device's. */
  readonly aheadMs: number
  /** When they were kept, in milliseconds of this device. */
  readonly keptAtMs: number
  /** When the session ends if nobody touches the page any more. */
  readonly endsAtMs: number
  readonly session: SessionEnds
  readonly reads: readonly { readonly key: QueryKey; readonly data: unknown; readonly readAtMs: number }[]
}

const storedAs = 'heatmark-kept'

/** Return the page that this tab stored earlier, unless the session has ended or the clock was set back since. */
export function readStoredPage(): StoredPage | undefined {
  const text = sessionStorage.getItem(storedAs)
  const page = text === null ? undefined : (JSON.parse(text) as StoredPage)
  const now = Date.now()
  if (page && now >= page.keptAtMs && now < page.endsAtMs) return page
  forgetStoredPage()
  return undefined
}

/** Take over the reads, the clock and the session of a stored page. */
export function goOnWith(queries: QueryClient, { aheadMs, session, reads }: StoredPage): void {
  setAheadOfDevice(aheadMs)
  setSessionEnds(session)
  for (const { key, data, readAtMs } of reads) queries.setQueryData(key, data, { updatedAt: readAtMs })
}

export function forgetStoredPage(): void {
  sessionStorage.removeItem(storedAs)
}

/** Keep the reads that are marked by `isKept`, whenever the page is left or hidden. Return a function that ends this. */
export function keepReads(queries: QueryClient, person: Me): () => void {
  const keep = () => {
    if (document.visibilityState === 'hidden') store(queries, person)
  }
  const leave = () => store(queries, person)
  addEventListener('pagehide', leave)
  document.addEventListener('visibilitychange', keep)
  return () => {
    removeEventListener('pagehide', leave)
    document.removeEventListener('visibilitychange', keep)
    forgetStoredPage()
  }
}

function store(queries: QueryClient, person: Me): void {
  const reads = queries
    .getQueryCache()
    .findAll({ predicate: ({ meta, state }) => meta?.isKept === true && state.data !== undefined })
    .map(({ queryKey, state }) => ({ key: queryKey, data: state.data, readAtMs: state.dataUpdatedAt }))
  forgetStoredPage()
  const session = sessionEnds()
  if (reads.length === 0 || !session) return
  const times = { aheadMs: aheadOfDevice(), keptAtMs: Date.now(), endsAtMs: sessionEndHere(), session }
  const page: StoredPage = { person: { ...person, name: '' }, ...times, reads }
  try {
    sessionStorage.setItem(storedAs, JSON.stringify(page))
  } catch {
    // The lists are larger than the browser allows. The taps are kept all the same.
  }
}

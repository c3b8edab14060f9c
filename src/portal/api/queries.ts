import {
  notifyManager,
  QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect } from 'react'
import { useAsOf } from './asOf.ts'
import { type Answer, call, type Input, type OperationId, type Reply } from './client.ts'
import { type Download, fetchFile, saveFile } from './downloads.ts'
import { operations } from './generated.ts'
import { inputAsOf } from './inputAsOf.ts'
import { ApiProblem } from './problem.ts'
import { readAgain } from './readAgain.ts'

/**
 * Reads and commands of the API for the screens. Reads repeat themselves while the page is visible, unless the portal
 * shows an earlier time.
 */

/** Milliseconds between two looks of a visible page. */
export const pollEvery = { list: 5_000, bars: 2_000, operations: 1_000, progress: 500 } as const

export function createQueries(): QueryClient {
  // Notify without a timer, so that a button rests before a second press can reach it.
  notifyManager.setScheduler(queueMicrotask)
  return new QueryClient({
    defaultOptions: {
      queries: {
        // An answer of the service that refuses is final; a broken connection is tried again.
        retry: (count, error) => !isFinal(error) && count < 3,
        retryDelay: 1_000,
        staleTime: 1_000,
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  })
}

function isFinal(error: Error): boolean {
  return error instanceof ApiProblem && error.problem.status < 500
}

interface ReadOptions {
  readonly enabled?: boolean
  /** False: the record is read once. */
  readonly every?: number | false
  /** The list has no pages. */
  readonly isWhole?: boolean
}

interface UnderWayOptions<Row> extends ReadOptions {
  /** Whether work on the record, or on a row of the list, is under way. While it is, it is read more often. */
  readonly isUnderWay?: (row: Row) => boolean
}

export function useRecord<Id extends OperationId>(
  id: Id,
  input: Input<Id>,
  { enabled = true, every = pollEvery.list, isUnderWay }: UnderWayOptions<Answer<Id>> = {},
) {
  const { asked, repeat } = useInputAsOf(id, input, every)
  return useQuery({
    queryKey: [id, asked],
    queryFn: ({ signal }) => call(id, { ...asked, signal }),
    refetchInterval: ({ state: { error, data } }) => {
      if (error && isFinal(error)) return false
      return data && isUnderWay?.(data.data) ? pollEvery.progress : repeat
    },
    enabled,
  })
}

function useInputAsOf<Id extends OperationId>(id: Id, asked: Input<Id>, every: number | false) {
  return inputAsOf(useAsOf(), { takesAsOf: operations[id].takesAsOf ?? false, asked, every })
}

export type ListId = { [Id in OperationId]: Answer<Id> extends readonly unknown[] ? Id : never }[OperationId]
export type Item<Id extends ListId> = Answer<Id> extends readonly (infer One)[] ? One : never

interface ListOptions<Row> extends UnderWayOptions<Row> {
  /** A reload without a network goes on with what was read last (`offline/storedPage.ts`). */
  readonly isKept?: boolean
}

/** Read a list page by page. */
export function useList<Id extends ListId>(
  id: Id,
  input: Input<Id>,
  {
    enabled = true,
    every = pollEvery.list,
    isWhole = false,
    isKept = false,
    isUnderWay,
  }: ListOptions<Item<Id>> = {},
) {
  const { asked, repeat } = useInputAsOf(id, input, every)
  const query = useInfiniteQuery({
    queryKey: [id, asked],
    queryFn: ({ signal, pageParam }) =>
      call(id, {
        ...asked,
        ...(!isWhole && { query: { limit: 500, ...asked.query, ...pageParam } }),
        signal,
      } as Input<Id>),
    initialPageParam: {} as Partial<NonNullable<Reply<unknown>['next']>>,
    getNextPageParam: ({ next }: Reply<unknown>) => next,
    // While other filters are being asked for, the list of the old ones stays.
    placeholderData: (previous, query) => (query?.queryKey[0] === id ? previous : undefined),
    refetchInterval: ({ state }) => {
      if (state.error && isFinal(state.error)) return false
      const rows = state.data?.pages.flatMap(({ data }) => data as Item<Id>[])
      return repeat !== false && isUnderWay && rows?.some(isUnderWay) ? pollEvery.progress : repeat
    },
    meta: { isKept },
    enabled,
    // A list that was read for another screen shows at once, and is read again, because it may lack the newest rows.
    refetchOnMount: 'always',
  })
  return {
    rows: query.data?.pages.flatMap(({ data }) => data as Item<Id>[]),
    total: query.data?.pages[0]?.total,
    error: query.error,
    hasMore: query.hasNextPage,
    readMore: () => void query.fetchNextPage(),
    isReadingMore: query.isFetchingNextPage,
    isReadHere: query.isFetchedAfterMount,
    readAgain: () => void query.refetch(),
    /** When the rows were read, in milliseconds of this device. */
    readAtMs: query.dataUpdatedAt,
  }
}

export interface ListState<Row> {
  readonly rows: readonly Row[] | undefined
  /** How many records all pages have, if the list was asked for with `count`. */
  readonly total?: number | undefined
  readonly error: Error | null
  readonly hasMore: boolean
  readonly readMore: () => void
  readonly isReadingMore: boolean
  /** Whether the rows were read, or could not be read, since the screen was opened. */
  readonly isReadHere: boolean
  readonly readAgain: () => void
}

/** Read every page of a list, or pages until it has this many rows. The list is whole when nothing more is asked for. */
export function useWhole<List extends ListState<unknown>>(list: List, atFirst = Number.POSITIVE_INFINITY) {
  const { rows, error, hasMore, isReadingMore, readMore } = list
  const isShort = rows !== undefined && rows.length < atFirst && hasMore && !error
  useEffect(() => {
    if (isShort && !isReadingMore) readMore()
  })
  return { ...list, isWhole: rows !== undefined && !isShort }
}

/**
 * Read a record for a decision, and return it with its ETag. The decision has to wait for this read. A form shows the
 * record that was read here, because the one on the page may be older than the ETag. The record is read again only
 * after a refusal: a command that succeeded may have deleted it.
 */
export function useSeen<Id extends OperationId>(id: Id, input: Input<Id>) {
  const { data, isPending } = useQuery({
    queryKey: [id, input, 'seen'],
    queryFn: ({ signal }) => call(id, { ...input, signal }),
    meta: { isCondition: true },
    gcTime: 0,
  })
  return { seen: data?.data, ifMatch: data?.etag, isReading: isPending }
}

/** Carry out a command, and then read everything on the page again. */
export function useCommand<Id extends OperationId>(id: Id) {
  const queries = useQueryClient()
  return useMutation<Reply<Answer<Id>>, Error, Input<Id>>({
    mutationFn: (input) => call(id, input),
    onSettled: (_, error) => readAgain(queries, error),
    gcTime: 0,
  })
}

/** Send a file, and then read everything on the page again. */
export function useUpload<Id extends OperationId>(id: Id) {
  const queries = useQueryClient()
  return useMutation<Reply<Answer<Id>>, Error, { readonly input: Input<Id>; readonly file: File }>({
    mutationFn: ({ input, file }) => call(id, input, file),
    onSettled: (_, error) => readAgain(queries, error),
    gcTime: 0,
  })
}

/** Read a file once, or again every this many milliseconds. */
export function useFile<Id extends OperationId>(
  id: Id,
  input: Input<Id>,
  { every = false }: Pick<ReadOptions, 'every'> = {},
) {
  const { asked, repeat } = useInputAsOf(id, input, every)
  return useQuery({
    queryKey: [id, asked, 'file'],
    queryFn: ({ signal }) => fetchFile(id, { ...asked, signal }),
    refetchInterval: (query) => (query.state.error && isFinal(query.state.error) ? false : repeat),
    staleTime: repeat === false ? Number.POSITIVE_INFINITY : repeat,
  })
}

/** Let the browser save a file. */
export function useDownload<Id extends OperationId>(id: Id) {
  return useMutation<void, Error, Download<Id>>({
    mutationFn: (download) => saveFile(id, download),
    gcTime: 0,
  })
}

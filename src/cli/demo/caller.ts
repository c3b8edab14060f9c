import { concurrently } from '../../lib/concurrently.ts'
import { type Output, withProgress } from '../progress.ts'

export type Method = 'GET' | 'POST' | 'PUT'

/** Send a request as one caller. A Blob is sent as the file that it is. @throws HeatmarkError */
export type Client = <Body>(
  method: Method,
  path: string,
  body?: unknown,
) => Promise<{ readonly status: number; readonly body: Body }>

/** The company that the examples are loaded into, a client for each role, and where progress is shown. */
export type Caller = {
  readonly companyId: string
  /** The path of the company: `/api/company/{companyId}`. */
  readonly company: string
  readonly planner: Client
  readonly editor: Client
  readonly admin: Client
  readonly output: Output
}

/** The number of concurrent requests. More would load the service without being much faster. */
export const requestsInFlight = 8

/** Do `work` on each item and show progress. When all are done, print the summary of the results as one line. */
export function loadEach<Item, Result>(
  { output }: Caller,
  label: string,
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Result>,
  summary: (results: readonly Result[]) => string,
): Promise<Result[]> {
  return withProgress(
    output,
    { label, total: items.length },
    (step) =>
      concurrently(requestsInFlight, items, async (item, index) => {
        const result = await work(item, index)
        step()
        return result
      }),
    summary,
  )
}

/** Summarise how many of the results are new. */
export function countNew(results: readonly { readonly isNew: boolean }[]): string {
  const created = results.filter(({ isNew }) => isNew).length
  return `${results.length}: ${created} new, ${results.length - created} already there`
}

import { concurrently } from '../../commands/concurrently.ts'
import type { Client } from '../client.ts'
import { type Output, withProgress } from '../progress.ts'

/** Who loads the examples, into which company, and where that is shown. */
export type Caller = {
  readonly companyId: string
  /** Path of the company, `/api/company/{companyId}`. */
  readonly company: string
  readonly planner: Client
  readonly editor: Client
  readonly admin: Client
  readonly output: Output
}

/** Requests under way at once: enough to be quick, few enough to stay polite. */
export const requestsInFlight = 8

/** `work` on each item, with progress, ending with a line on what the results are. */
export const loadEach = <Item, Result>(
  { output }: Caller,
  label: string,
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Result>,
  summary: (results: readonly Result[]) => string,
): Promise<Result[]> =>
  withProgress(
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

/** A summary of results that know whether they are new. */
export const countNew = (results: readonly { readonly isNew: boolean }[]): string => {
  const created = results.filter(({ isNew }) => isNew).length
  return `${results.length}: ${created} new, ${results.length - created} already there`
}

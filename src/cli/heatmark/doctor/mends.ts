import { newerRelease, notShipped } from '../../../policies/trouble.ts'
import { newerReleaseTodo, wentBackTodo } from '../../../projections/operations/troubles.ts'
import { wentBackCode } from '../../../projections/projector/feed.ts'

/** Return what to do about a trouble that begins with a known code; undefined for any other. */
export function mendOf(trouble: string): string | undefined {
  if (trouble.startsWith(wentBackCode)) return wentBackTodo
  if (trouble.startsWith(newerRelease)) return newerReleaseTodo
  if (trouble.startsWith(notShipped))
    return 'run the release that ships these rule packs on every node: it goes on by itself'
  return undefined
}

import { newerRelease, notShipped } from '../../../policies/trouble.ts'
import { newerReleaseTodo, rewoundTodo } from '../../../projections/operations/troubles.ts'
import { rewoundCode } from '../../../subscription/checkpoint.ts'

/** Return what to do about a problem that begins with a known code; undefined for any other. */
export function mendOf(trouble: string): string | undefined {
  if (trouble.startsWith(rewoundCode)) return rewoundTodo
  if (trouble.startsWith(newerRelease)) return newerReleaseTodo
  if (trouble.startsWith(notShipped))
    return 'run the release that ships these rule packs on every node: it goes on by itself'
  return undefined
}

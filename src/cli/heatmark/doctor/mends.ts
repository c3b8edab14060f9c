import { newerRelease, notShipped } from '../../../policies/conditions.ts'
import { newerReleaseTodo, rewoundTodo } from '../../../projections/operations/conditions.ts'
import { rewoundCode } from '../../../subscription/checkpoint.ts'

/** Return what to do about a condition that begins with a known code; undefined for any other. */
export function mendOf(condition: string): string | undefined {
  if (condition.startsWith(rewoundCode)) return rewoundTodo
  if (condition.startsWith(newerRelease)) return newerReleaseTodo
  if (condition.startsWith(notShipped))
    return 'run the release that ships these rule packs on every node: it goes on by itself'
  return undefined
}

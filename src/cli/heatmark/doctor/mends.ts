import { newerRelease, notShipped } from '../../../policies/conditions.ts'
import { newerReleaseTodo, rewoundTodo } from '../../../projections/engine/operations/conditions.ts'
import { rewoundCode } from '../../../stores/subscription/checkpoint.ts'

/** Return what to do about a condition that begins with a known code; undefined for any other. */
export function mendOf(condition: string): string | undefined {
  if (condition.startsWith(rewoundCode)) return rewoundTodo
  if (condition.startsWith(newerRelease)) return newerReleaseTodo
  if (condition.startsWith(notShipped))
    return 'run the release that ships these rule packs on every node: it goes on by itself'
  if (condition.startsWith('history-diverged'))
    return 'follow "The history was changed" in docs/operations.md'
  if (condition.startsWith('signing-key-differs'))
    return 'give every node the same SIGNING_KEY, or announce the new key with "heatmark audit replace-key"'
  return undefined
}

import type { Route } from '../../src/http/kit/routing/route.ts'

export interface Example {
  /** If the body has lines, this is the first one. */
  request?: unknown
  /** The answers by status. If an answer has lines, this is the first one. */
  readonly answers: Record<string, unknown>
}

/** Return the operations that have no example of their body, or of an answer when they succeed. */
export function withoutExample(
  operations: readonly Route[],
  examples: Readonly<Record<string, Example>>,
): readonly string[] {
  return operations
    .filter((route) => {
      const { request, answers = {} } = examples[route.operationId] ?? {}
      const hasBody = route.body !== undefined || route.lines !== undefined
      return (hasBody && request === undefined) || (hasSchema(route) && !hasSucceeded(answers))
    })
    .map(({ operationId }) => operationId)
}

/** Return whether an answer of this operation has a body that its schema describes. */
export function hasSchema({ responses }: Route): boolean {
  return Object.entries(responses).some(([status, { schema }]) => isSuccess(status) && schema)
}

export function hasSucceeded(answers: Example['answers']): boolean {
  return Object.keys(answers).some(isSuccess)
}

function isSuccess(status: string): boolean {
  return Number(status) < 300
}

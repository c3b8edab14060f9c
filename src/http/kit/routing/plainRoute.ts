import { z } from 'zod'
import type { Declaration, DeclaredResponse, Exchange, Route } from './route.ts'

/** Declare a GET route that takes no input. */
export function plain(
  declaration: Declaration & {
    responses: Record<number, DeclaredResponse>
    problems?: number[]
    answer: (exchange: Exchange) => Promise<void>
  },
): Route {
  return {
    problems: [],
    ...declaration,
    method: 'get',
    params: z.object({}),
    query: z.object({}),
    headers: z.object({}),
    body: undefined,
  }
}

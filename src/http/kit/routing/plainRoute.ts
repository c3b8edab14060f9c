import { z } from 'zod'
import type { ProblemCode } from '../../../problems/catalogue.ts'
import { type Declaration, type DeclaredResponse, paramsOf, type Route } from './route.ts'

/** Declare a GET route that takes no input but its path. */
export function plainRoute<const Path extends string>(
  declaration: Declaration<Path> & {
    responses: Record<number, DeclaredResponse>
    problems?: ProblemCode[]
    answer: Route['answer']
  },
): Route {
  return {
    problems: [],
    ...declaration,
    method: 'get',
    params: paramsOf(declaration),
    query: z.object({}),
    headers: z.object({}),
    body: undefined,
  }
}

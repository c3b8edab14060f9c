import { z } from 'zod'
import { send } from '../../src/http/kit/routing/respond.ts'
import type { Route } from '../../src/http/kit/routing/route.ts'

const nothing = z.object({})

/** A route that answers who asked, open to whom a spec says. */
export const echoRoute = (path: string, access: Route['access']): Route => ({
  path,
  access,
  method: 'get',
  operationId: path,
  summary: 'For specs',
  tag: 'Service',
  params: path.includes('{') ? z.object({ companyId: z.string() }) : nothing,
  query: nothing,
  headers: nothing,
  body: undefined,
  responses: {},
  problems: [],
  answer: async ({ res, caller }) => send(res, { status: 200, body: caller }),
})

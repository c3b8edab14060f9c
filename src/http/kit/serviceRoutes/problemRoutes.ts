import type { Request } from 'express'
import { z } from 'zod'
import { declarationOf, isProblemCode, type ProblemCode, problemCodes } from '../../../problems/catalogue.ts'
import { baseUrlOf } from '../baseUrl.ts'
import { excerptOf, Problem, problemMediaType, problemType } from '../problem.ts'
import { plainRoute } from '../routing/plainRoute.ts'
import { send } from '../routing/respond.ts'
import type { Exchange, Route } from '../routing/route.ts'
import { pagePolicy } from './htmlPage.ts'
import { type ExplainedProblem, listPage, problemPage } from './problemPages.ts'

/** `/problems`: the catalogue of problem codes, as pages and as JSON. The `type` of a problem is the address of its page. */

const explained = z
  .object({
    code: z.string(),
    type: z
      .string()
      .meta({ format: 'uri-reference', description: 'The `type` of the problem: this address.' }),
    status: z.int(),
    title: z.string(),
    meaning: z.string().meta({ description: 'The consequence for the refused request.' }),
    occurs: z.string().meta({ description: 'The circumstances in which the service answers it.' }),
    remedy: z.string().meta({ description: 'The next step of the caller.' }),
    members: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The members besides the standard ones, each with its JSON Schema.' }),
  })
  .meta({ id: 'ExplainedProblem' })

const open = { tag: 'Service', access: 'open' } as const

export function problemRoutes(publicUrl: string | undefined): Route[] {
  return [
    plainRoute({
      ...open,
      path: '/problems',
      operationId: 'listProblems',
      summary: 'List the problem codes',
      responses: {
        200: {
          description: 'The codes, by status; a page unless JSON is asked for.',
          schema: z.array(explained),
          alternatives: ['text/html'],
        },
      },
      answer: async ({ req, res }) => {
        const all = problemCodes
          .map((code) => explain(code, req, publicUrl))
          .sort((a, b) => a.status - b.status)
        await answer({ req, res }, all, () => listPage(all))
      },
    }),
    plainRoute({
      ...open,
      path: '/problems/{code}',
      params: { code: z.string() },
      operationId: 'getProblem',
      summary: 'Explain one problem code',
      responses: {
        200: {
          description: 'The code; a page unless JSON is asked for.',
          schema: explained,
          alternatives: ['text/html'],
        },
      },
      problems: ['not-found'],
      answer: async ({ req, res, params }) => {
        const code = params.code!
        if (!isProblemCode(code))
          throw new Problem('not-found', `There is no problem code ${excerptOf(code)}.`)
        const one = explain(code, req, publicUrl)
        await answer({ req, res }, one, () => problemPage(one))
      },
    }),
  ]
}

function explain(code: ProblemCode, req: Request, publicUrl: string | undefined): ExplainedProblem {
  const { status, title, meaning, occurs, remedy, members } = declarationOf(code)
  const type = problemType(baseUrlOf(req, publicUrl), code)
  return { code, type, status, title, meaning, occurs, remedy, members: members ? schemasOf(members) : {} }
}

function schemasOf({ shape }: z.ZodObject): ExplainedProblem['members'] {
  return Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => {
      const { $schema: _, $defs = {}, ...own } = z.toJSONSchema(schema, { io: 'input' })
      return [name, inlineReferences(own, $defs)]
    }),
  )
}

/** Put the named schemas in place of the references, so that each member can be read alone. */
function inlineReferences<Part>(part: Part, named: Readonly<Record<string, unknown>>): Part {
  return JSON.parse(JSON.stringify(part), (_, value) => {
    const name = typeof value?.$ref === 'string' ? value.$ref.split('/').at(-1) : undefined
    return name === undefined ? value : inlineReferences(named[name], named)
  })
}

function answer(
  { req, res }: Pick<Exchange, 'req' | 'res'>,
  json: unknown,
  page: () => string,
): Promise<void> {
  // A program that shows a problem may ask for its type as it asks for the problem.
  const asPage = [false, 'html'].includes(req.accepts(['html', 'json', problemMediaType]))
  res.vary('Accept')
  return send(res, {
    status: 200,
    headers: {
      'Cache-Control': 'no-cache',
      ...(asPage && { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': pagePolicy }),
    },
    body: asPage ? Buffer.from(page()) : json,
  })
}

import { type NextFunction, type Request, type RequestHandler, type Response, Router } from 'express'
import { Problem } from '../problem.ts'
import type { Services } from '../services.ts'
import type { Route } from './route.ts'
import { serve } from './serve.ts'

/** Mount the declared routes, each path once with all of its methods. */
export function mount(routes: readonly Route[], services: Services): RequestHandler {
  // Express tries one path after another, so a request sees only those that have its group.
  const routers = new Map<string, Router>()
  for (const [path, methods] of byPath(routes)) {
    const allow = [...methods.keys()].join(', ')
    const router = routers.get(groupOf(path)) ?? Router({ caseSensitive: true, strict: true })
    routers.set(groupOf(path), router)
    router.all(patternOf(path, [...methods.values()][0]!), async (req: Request, res: Response) => {
      const route = methods.get(req.method)
      if (!route)
        throw new Problem(
          'method-not-allowed',
          `This path does not support the method. It supports ${allow}.`,
          { headers: { Allow: allow } },
        )
      res.locals.route = route
      await serve(route, req, res, services)
    })
  }
  const ofNoGroup = routers.get(noGroup)
  return (req, res, next) => {
    const others = () => (ofNoGroup ? ofNoGroup(req, res, next) : next())
    const group = groupOf(req.path)
    const router = group === noGroup ? undefined : routers.get(group)
    if (router) router(req, res, (error) => (error ? next(error) : others()))
    else others()
  }
}

/** Return the first and the third part of a path: the kind of record of a company. The second is often a parameter. */
function groupOf(path: string): string {
  const [, first = '', , third = ''] = path.split('/', 4)
  return first.includes('{') || third.includes('{') || third === '' ? noGroup : `${first}/${third}`
}

const noGroup = ''

/** Every path works with and without the `/api` prefix. An escape that decodes to nothing is taken literally. */
export function normalisePath(req: Request, _res: Response, next: NextFunction): void {
  if (req.url.startsWith('/api/')) req.url = req.url.slice('/api'.length)
  if (req.url.includes('%') && !isDecodable(req.path)) req.url = req.url.replaceAll('%', '%25')
  next()
}

/** Return the path as Express has it. */
function patternOf(path: string, { restOfPath }: Route): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => (name === restOfPath ? `*${name}` : `:${name}`))
}

/** Group the routes by path, without the `/api` prefix, and by method. Literal paths come before paths with
 * parameters. */
function byPath(routes: readonly Route[]): [string, Map<string, Route>][] {
  const paths = new Map<string, Map<string, Route>>()
  for (const route of routes) {
    const path = route.path.replace(/^\/api/, '')
    const methods = paths.get(path) ?? new Map<string, Route>()
    paths.set(path, methods)
    methods.set(route.method.toUpperCase(), route)
    if (route.method === 'get') methods.set('HEAD', route)
  }
  // "{" sorts behind every letter.
  return [...paths].sort(([a], [b]) => (a < b ? -1 : 1))
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

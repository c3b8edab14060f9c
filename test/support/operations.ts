import { Registry } from 'prom-client'
import { type Portal, portalRoutes } from '../../src/http/kit/portal/portalRoutes.ts'
import type { Route } from '../../src/http/kit/routing/route.ts'
import { openApiDocument } from '../../src/http/kit/serviceRoutes/openapi.ts'
import { serviceRoutes } from '../../src/http/kit/serviceRoutes/serviceRoutes.ts'
import { nameOfEnum } from '../../src/http/namedEnums.ts'
import { openPages, routes } from '../../src/http/routes.ts'
import type { Resolve } from './jsonSchema.ts'

/** Every operation of the service: those of the resources, and those of the service itself. */
export const operations: readonly Route[] = [
  ...routes,
  ...openPages,
  ...serviceRoutes({
    health: async () => [],
    release: { version: '0', commit: null },
    metrics: new Registry(),
    documents: { tokenUrl: () => undefined, document: () => ({}) },
  }),
  ...portalRoutes({} as Portal),
]

const tokenUrl = 'https://login.example.org/token'
// biome-ignore lint/suspicious/noExplicitAny: a JSON document.
export const document = openApiDocument({ routes: operations, nameOfEnum }, '0', { tokenUrl }) as any

/** Return the operations of a document by path and method, each with the parameters of its path. */
// biome-ignore lint/suspicious/noExplicitAny: a JSON document.
export function operationsOf({ paths }: any): Record<string, Record<string, any>> {
  return Object.fromEntries(
    // biome-ignore lint/suspicious/noExplicitAny: a JSON document.
    Object.entries<any>(paths).map(([path, { parameters: inPath = [], ...methods }]) => [
      path,
      Object.fromEntries(
        // biome-ignore lint/suspicious/noExplicitAny: a JSON document.
        Object.entries<any>(methods).map(([method, { parameters = [], ...operation }]) => [
          method,
          { ...operation, parameters: [...inPath, ...parameters] },
        ]),
      ),
    ]),
  )
}

export const describedPaths = operationsOf(document)

/** Find the component that a reference of the document names. */
export const resolve: Resolve = (reference) =>
  reference
    .slice('#/'.length)
    .split('/')
    .reduce((part, key) => part[key], document)

/** Follow a reference to a component. */
export function resolved<Part extends { readonly $ref?: string }>(part: Part): Part {
  return part.$ref ? (resolve(part.$ref) as Part) : part
}

const withoutApi = (path: string) => path.replace(/^\/api(?=\/)/, '')

const patterns = operations
  .map((route) => ({
    route,
    path: withoutApi(route.path),
    pattern: new RegExp(`^${withoutApi(route.path).replace(/\{\w+\}/g, '[^/]+')}$`),
  }))
  // As the service does: "{" sorts behind every letter, so literal paths come first.
  .sort((a, b) => (a.path < b.path ? -1 : 1))

/** Find the operation that a request addresses; undefined for an unknown path or method. */
export function operationOf(method: string, path: string): Route | undefined {
  const wanted = method.toUpperCase() === 'HEAD' ? 'GET' : method.toUpperCase()
  const first = patterns.find(({ pattern }) => pattern.test(withoutApi(path)))
  return patterns.find(({ path, route }) => path === first?.path && route.method.toUpperCase() === wanted)
    ?.route
}

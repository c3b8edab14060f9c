import express, { type Express, type NextFunction, type Request, type Response } from 'express'
import helmet from 'helmet'
import type { Registry } from 'prom-client'
import type { Health } from '../../health.ts'
import { type CacheObserver, createReadCache, entryBytes } from '../../projections/reading/readCache.ts'
import type { Positions } from '../../projections/reading/waitFor.ts'
import { Problem, problemOf, sendProblem, unforeseen } from './problem.ts'
import { mount, normalisePath } from './routing/mount.ts'
import type { Route } from './routing/route.ts'
import { accessLog } from './server/accessLog.ts'
import { timeRequests } from './server/metrics.ts'
import { requireTls } from './server/requireTls.ts'
import { docsFiles, docsRoute } from './serviceRoutes/docsRoute.ts'
import { healthRoutes } from './serviceRoutes/healthRoutes.ts'
import { metricsRoute } from './serviceRoutes/metricsRoute.ts'
import { openApiRoute } from './serviceRoutes/openApiRoute.ts'
import { openApiDocument } from './serviceRoutes/openapi.ts'
import type { Services } from './services.ts'

export interface AppDependencies extends Omit<Services, 'lists' | 'positions'> {
  readonly positions: Pick<Positions, 'waitFor' | 'heard' | 'onChange' | 'lastHeardAt'>
  /** The monotonic clock of `positions`, in milliseconds. */
  readonly clock: () => number
  /** The most bytes of lists that are kept in memory. */
  readonly listCacheBytes: number
  readonly observeLists?: CacheObserver
  /** The routes of the resources. The app adds the service's own routes. */
  readonly routes: readonly Route[]
  readonly health: Health
  readonly metrics: Registry
  /** The version of this release, shown in the OpenAPI document. */
  readonly version: string
  /** Addresses and networks of the proxies that end TLS, whose X-Forwarded-For and X-Forwarded-Proto are believed. */
  readonly trustProxy?: readonly string[] | undefined
  readonly newId: () => string
}

/** The HTTP interface as one Express application; nothing listens yet. */
export function createApp(dependencies: AppDependencies): Express {
  const { health, metrics, version, trustProxy, newId, log } = dependencies
  const services = withLists(dependencies)
  const routes: readonly Route[] = [
    ...dependencies.routes,
    ...healthRoutes(health),
    metricsRoute(metrics),
    openApiRoute(() => openApiDocument(routes, version)),
    docsRoute,
  ]

  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', 'simple')
  if (trustProxy) app.set('trust proxy', trustProxy)

  app.use(accessLog(log, newId))
  app.use(timeRequests(metrics))
  app.use(securityHeaders)
  app.use(normalisePath)
  if (trustProxy) app.use(requireTls)
  app.use(mount(routes, services))
  app.use('/docs', docsFiles())
  app.use(nothingHere)
  app.use(answerErrors)
  return app
}

function nothingHere() {
  throw new Problem(404, 'not-found', 'There is nothing at this path.')
}

function answerErrors(error: unknown, req: Request, res: Response, _next: NextFunction): void {
  // The client closed the connection. That is no error of the service.
  if (res.destroyed) return
  try {
    answerProblem(problemOf(error), req, res)
  } catch (failure) {
    // The problem itself cannot be serialised. Express's default answer would show the stack.
    answerProblem(unforeseen(failure), req, res)
  }
}

function answerProblem(problem: Problem, req: Request, res: Response): void {
  const { status, code, cause } = problem
  // The access log records the error with the traceId.
  if (status === 500) res.err = cause as Error
  if (status === 503)
    req.log.warn({ code, cause: cause instanceof Error ? cause.message : undefined }, 'unavailable')
  sendProblem(res, problem, { instance: req.originalUrl.split('?')[0]!, traceId: String(req.id) })
}

function withLists(dependencies: AppDependencies): Services {
  return {
    ...dependencies,
    lists: createReadCache({
      positions: dependencies.positions,
      clock: dependencies.clock,
      maxSize: dependencies.listCacheBytes,
      sizeOf: (list, { name }) => entryBytes + name.length + (list === 'large' ? 0 : list.bytes.length),
      ...(dependencies.observeLists && { observe: dependencies.observeLists }),
    }),
  }
}

/** Serve `/metrics` alone, without authentication, for a port of its own. */
export function createMetricsApp({
  metrics,
  log,
  newId,
}: Pick<AppDependencies, 'metrics' | 'log' | 'newId'>): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.use(accessLog(log, newId))
  app.use(securityHeaders)
  app.get('/metrics', async (_req, res) => {
    res.type(metrics.contentType).send(await metrics.metrics())
  })
  app.use(nothingHere)
  app.use(answerErrors)
  return app
}

/** Answers are not pages, so they may load nothing. The docs page sets a policy of its own. */
const securityHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  referrerPolicy: { policy: 'no-referrer' },
})

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
  /** Milliseconds that never run backwards: the clock of `positions`. */
  readonly clock: () => number
  /** Bound of the lists kept in memory. */
  readonly listCacheBytes: number
  readonly observeLists?: CacheObserver
  /** What is served besides the service's own routes. */
  readonly routes: readonly Route[]
  readonly health: Health
  readonly metrics: Registry
  /** Of this release, as the API description says it. */
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
  // Whoever has gone needs no answer, and that they went is no fault of ours.
  if (res.destroyed) return
  try {
    answerProblem(problemOf(error), req, res)
  } catch (failure) {
    // A problem that cannot even be told: Express's own answer would show its stack.
    answerProblem(unforeseen(failure), req, res)
  }
}

function answerProblem(problem: Problem, req: Request, res: Response): void {
  const { status, code, cause } = problem
  // The access log shows it beside the traceId.
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

/** `/metrics` alone, open to anyone who reaches its port. */
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

/** Nothing that is answered here is a page, but for the docs, which say so themselves. */
const securityHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  referrerPolicy: { policy: 'no-referrer' },
})

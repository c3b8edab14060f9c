import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import express, {
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express'
import helmet from 'helmet'
import type { Registry } from 'prom-client'
import { shareReads } from '../../changes/shareReads.ts'
import { Refusal } from '../../domain/kernel/refusal.ts'
import type { Release } from '../../lib/release.ts'
import type { Health } from '../../processes/monitoring/health.ts'
import { createDerive } from '../../projections/engine/reading/derivedValues.ts'
import {
  type CacheObserver,
  createReadCache,
  entryBytes,
} from '../../projections/engine/reading/readCache.ts'
import type { Positions } from '../../projections/engine/reading/waitFor.ts'
import { baseUrlOf } from './baseUrl.ts'
import { createRepeatedLists } from './lists/repeatedLists.ts'
import { takeLinks } from './portal/downloads.ts'
import { type Pages, servePages } from './portal/pages.ts'
import { type Portal, portalRoutes } from './portal/portalRoutes.ts'
import { Problem, problemOf, sendProblem, unavailable, unforeseen } from './problem.ts'
import { mount, normalisePath } from './routing/mount.ts'
import type { Route } from './routing/route.ts'
import { accessLog, isProbe } from './server/accessLog.ts'
import { allowOrigins } from './server/cors.ts'
import { timeRequests } from './server/metrics.ts'
import { requireTls } from './server/requireTls.ts'
import { docsFiles } from './serviceRoutes/docsRoute.ts'
import type { NameOfEnum } from './serviceRoutes/jsonSchemas.ts'
import type { OpenApiDocuments } from './serviceRoutes/openApiRoute.ts'
import { openApiDocument } from './serviceRoutes/openapi.ts'
import { serviceRoutes } from './serviceRoutes/serviceRoutes.ts'
import type { RecallMember, Services } from './services.ts'

export interface AppDependencies
  extends Omit<
    Services,
    'lists' | 'filteredLists' | 'derive' | 'repeatedLists' | 'readChanges' | 'positions'
  > {
  readonly positions: Pick<Positions, 'waitFor' | 'positionOf' | 'onChange' | 'lastHeardAt'>
  /** The most bytes of lists that are kept in memory. */
  readonly listCacheBytes: number
  readonly observeLists?: (cache: 'lists' | 'filteredLists') => CacheObserver
  readonly recallMember: RecallMember
  /** The routes of the resources. The app adds the service's own routes. */
  readonly routes: readonly Route[]
  readonly nameOfEnum: NameOfEnum
  readonly health: Health
  readonly metrics: Registry
  /** The address where callers get tokens; undefined while it is not known. */
  readonly tokenUrl: () => string | undefined
  /** The scope that programs ask for; undefined for none. */
  readonly programScope?: string | undefined
  readonly release: Release
  /** Addresses and networks of the proxies that end TLS, whose X-Forwarded-For and X-Forwarded-Proto are believed. */
  readonly trustProxy?: readonly string[] | undefined
  /** The origins whose pages may call the API from a browser; undefined for none. */
  readonly corsOrigins?: readonly string[] | undefined
  /** undefined: there is no portal. */
  readonly portal?: Portal | undefined
  /** The built pages of the portal; undefined when they are missing. */
  readonly pages?: Pages | undefined
  readonly newId: () => string
}

/** The HTTP interface: one Express application, and a shorter way for repeated lists. Nothing listens yet. */
export function createApp(dependencies: AppDependencies): RequestListener {
  const { health, metrics, release, tokenUrl, programScope, publicUrl, trustProxy, corsOrigins } =
    dependencies
  const { portal, pages, newId, log, clock, nameOfEnum } = dependencies
  const logAccess = accessLog(log, newId)
  const measure = timeRequests(metrics, clock)
  const observe = (req: IncomingMessage, res: Response, address?: string): void => {
    logAccess(req, res, address)
    measure(req, res)
  }
  const repeatedLists = createRepeatedLists({ ...dependencies, observe })
  const services = { ...withSharedReads(dependencies), repeatedLists }
  const documents: OpenApiDocuments = {
    tokenUrl,
    document: (url) =>
      openApiDocument(
        { routes, nameOfEnum },
        release.version,
        url ? { tokenUrl: url, scope: programScope } : undefined,
      ),
  }
  const routes: readonly Route[] = [
    ...dependencies.routes,
    ...serviceRoutes({ health, release, metrics, documents, publicUrl }),
    ...(portal ? portalRoutes(portal) : []),
  ]

  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', 'simple')
  if (trustProxy) app.set('trust proxy', trustProxy)

  app.use(observed(observe))
  app.use(setSecurityHeaders)
  app.use(normalisePath)
  if (trustProxy) app.use(requireTls)
  if (corsOrigins) app.use(allowOrigins(corsOrigins, routes))
  if (portal) app.use(takeLinks)
  app.use(mount(routes, services))
  app.use('/docs', docsFiles())
  if (portal) app.get('/', leadToPortal).use('/portal', servePages(pages, release))
  app.use(nothingHere)
  app.use(answerErrors(publicUrl, log))
  return (req, res) => void (repeatedLists.answer(req, res) || app(req, res))
}

function observed(observe: (req: Request, res: Response, address?: string) => void): RequestHandler {
  return (req, res, next) => {
    observe(req, res, req.ip)
    next()
  }
}

/** Serve `/metrics` alone, without authentication, for a port of its own. */
export function createMetricsApp({
  metrics,
  log,
  newId,
  publicUrl,
}: Pick<AppDependencies, 'metrics' | 'log' | 'newId' | 'publicUrl'>): Express {
  const app = bareApp(log, newId)
  app.get('/metrics', async (_req, res) => {
    res.type(metrics.contentType).send(await metrics.metrics())
  })
  app.use(nothingHere)
  app.use(answerErrors(publicUrl, log))
  return app
}

/** Say that the process runs, while it waits for its stores. An orchestrator would end a process that does not answer. */
export function createStartingApp({
  log,
  newId,
  publicUrl,
  release,
}: Pick<AppDependencies, 'log' | 'newId' | 'publicUrl' | 'release'>): Express {
  const app = bareApp(log, newId)
  app.use(normalisePath)
  app.get(
    '/health/live',
    (_req, res) => void res.set('Cache-Control', 'no-store').json({ status: 'live', ...release }),
  )
  app.use(startingProblem)
  app.use(answerErrors(publicUrl, log))
  return app
}

function bareApp(log: AppDependencies['log'], newId: AppDependencies['newId']): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.use(observed(accessLog(log, newId)))
  app.use(setSecurityHeaders)
  return app
}

function startingProblem() {
  const message = 'The service is starting, so nothing was done. Try again in a few seconds.'
  throw unavailable('not-ready', message, undefined, { notReady: ['stores'] })
}

/** A person who types the name of the host looks for the portal. A program gets the 404 of any other path. */
function leadToPortal(req: Request, res: Response, next: NextFunction): void {
  res.vary('Accept')
  if (req.accepts(['application/json', 'text/html']) === 'text/html') res.redirect(302, '/portal')
  else next()
}

function nothingHere() {
  throw new Problem('not-found', 'No operation has this path. The OpenAPI document lists them all.')
}

function answerErrors(publicUrl: string | undefined, log: AppDependencies['log']) {
  return async (error: unknown, req: Request, res: Response, _next: NextFunction): Promise<void> => {
    // The client closed the connection. That is no error of the service.
    if (res.destroyed) return
    const baseUrl = baseUrlOf(req, publicUrl)
    try {
      await answerProblem(problemOf(error), baseUrl, req, res, log)
    } catch (failure) {
      // The problem itself cannot be serialised. Express's default answer would show the stack.
      await answerProblem(unforeseen(failure), baseUrl, req, res, log)
    }
  }
}

function answerProblem(
  problem: Problem,
  baseUrl: string,
  req: Request,
  res: Response,
  log: AppDependencies['log'],
): Promise<void> {
  const { status, code, cause } = problem
  // The access log records the error with the traceId.
  if (status === 500) res.err = cause as Error
  if (status === 503 && !isProbe(res))
    log.warn({ req: req.logged, code, cause: reasonOf(cause) }, 'unavailable')
  const instance = req.originalUrl.split('?')[0]!
  return sendProblem(res, problem, { baseUrl, instance, traceId: req.id })
}

/** Return the message of the fault for the operator. The message of a refusal is for the caller. */
function reasonOf(cause: unknown): string | undefined {
  const fault = cause instanceof Refusal ? (cause.cause ?? cause) : cause
  return fault instanceof Error ? fault.message : undefined
}

/** The share of the memory for lists that filtered lists have. */
const filteredShare = 1 / 8
/** The share of it for values that are computed from many rows. */
const derivedShare = 1 / 8

function withSharedReads(dependencies: AppDependencies): Omit<Services, 'repeatedLists'> {
  const { positions, clock, listCacheBytes, observeLists } = dependencies
  const cache = (share: number, observe: CacheObserver | undefined): Services['lists'] =>
    createReadCache({
      positions,
      clock,
      maxSize: Math.ceil(listCacheBytes * share),
      sizeOf: (list, { name }) => entryBytes + name.length + (list === 'large' ? 0 : list.bytes.length),
      ...(observe && { observe }),
    })
  return {
    ...dependencies,
    lists: cache(1 - filteredShare - derivedShare, observeLists?.('lists')),
    filteredLists: cache(filteredShare, observeLists?.('filteredLists')),
    derive: createDerive({ positions, clock, maxSize: Math.ceil(listCacheBytes * derivedShare) }),
    readChanges: shareReads(dependencies),
  }
}

function setSecurityHeaders(_req: Request, res: Response, next: NextFunction): void {
  for (const [name, value] of securityHeaders) res.setHeader(name, value)
  next()
}

/** Answers are not pages, so they may load nothing. The docs page sets a policy of its own. */
const securityHeaders = headersOf(
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    referrerPolicy: { policy: 'no-referrer' },
  }),
)

/** Return the headers that a handler sets, which are the same for all requests. */
function headersOf(handler: ReturnType<typeof helmet>): readonly (readonly [string, string])[] {
  const headers: [string, string][] = []
  const res = new ServerResponse(new IncomingMessage(new Socket()))
  res.setHeader = (name, value) => {
    headers.push([name, String(value)])
    return res
  }
  handler(res.req, res, () => {})
  return headers
}

import type { Registry } from 'prom-client'
import type { Release } from '../../../lib/release.ts'
import type { Health } from '../../../processes/monitoring/health.ts'
import type { Route } from '../routing/route.ts'
import { docsRoute } from './docsRoute.ts'
import { healthRoutes } from './healthRoutes.ts'
import { metricsRoute } from './metricsRoute.ts'
import { type OpenApiDocuments, openApiRoute } from './openApiRoute.ts'
import { problemRoutes } from './problemRoutes.ts'

interface ServiceRouteOptions {
  readonly health: Health
  readonly release: Release
  readonly metrics: Registry
  readonly documents: OpenApiDocuments
  readonly publicUrl?: string | undefined
}

/** The routes of the service itself, beside those of the resources. */
export function serviceRoutes({
  health,
  release,
  metrics,
  documents,
  publicUrl,
}: ServiceRouteOptions): Route[] {
  return [
    ...healthRoutes(health, release),
    metricsRoute(metrics),
    openApiRoute(documents),
    docsRoute(documents.tokenUrl),
    ...problemRoutes(publicUrl),
  ]
}

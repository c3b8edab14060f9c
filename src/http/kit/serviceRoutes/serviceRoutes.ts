import type { Registry } from 'prom-client'
import type { Health } from '../../../processes/monitoring/health.ts'
import type { Route } from '../routing/route.ts'
import { docsRoute } from './docsRoute.ts'
import { healthRoutes } from './healthRoutes.ts'
import { metricsRoute } from './metricsRoute.ts'
import { type OpenApiDocuments, openApiRoute } from './openApiRoute.ts'
import { problemRoutes } from './problemRoutes.ts'

export interface ServiceRouteOptions {
  readonly health: Health
  readonly metrics: Registry
  readonly documents: OpenApiDocuments
  readonly publicUrl?: string | undefined
}

/** The routes of the service itself, beside those of the resources. */
export function serviceRoutes({ health, metrics, documents, publicUrl }: ServiceRouteOptions): Route[] {
  return [
    ...healthRoutes(health),
    metricsRoute(metrics),
    openApiRoute(documents),
    docsRoute,
    ...problemRoutes(publicUrl),
  ]
}

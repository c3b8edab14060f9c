import type { Registry } from 'prom-client'
import type { Health } from '../../../health.ts'
import type { Route } from '../routing/route.ts'
import { docsRoute } from './docsRoute.ts'
import { healthRoutes } from './healthRoutes.ts'
import { metricsRoute } from './metricsRoute.ts'
import { openApiRoute } from './openApiRoute.ts'
import { problemRoutes } from './problemRoutes.ts'

export interface ServiceRouteOptions {
  readonly health: Health
  readonly metrics: Registry
  /** The OpenAPI document. */
  readonly document: () => object
  readonly publicUrl?: string | undefined
}

/** The routes of the service itself, beside those of the resources. */
export function serviceRoutes({ health, metrics, document, publicUrl }: ServiceRouteOptions): Route[] {
  return [
    ...healthRoutes(health),
    metricsRoute(metrics),
    openApiRoute(document),
    docsRoute,
    ...problemRoutes(publicUrl),
  ]
}

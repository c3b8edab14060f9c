import { certificateRoutes } from './certificates.ts'
import { filterProfileRoutes } from './filterProfiles.ts'
import { orderRoutes } from './orders.ts'
import { productionPlanBarRoutes } from './productionPlanBars.ts'
import { productionPlanRoutes } from './productionPlans.ts'
import type { Route } from './route.ts'
import { tagRoutes } from './tags.ts'
import { traceabilityRoutes } from './traceability.ts'

/** Every resource of this release. */
export const routes: readonly Route[] = [
  ...tagRoutes('millCert'),
  ...tagRoutes('order'),
  ...certificateRoutes,
  ...orderRoutes,
  ...productionPlanRoutes,
  ...productionPlanBarRoutes,
  ...traceabilityRoutes,
  ...filterProfileRoutes,
]

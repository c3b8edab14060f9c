import { certificateRoutes } from './certificates.ts'
import { orderRoutes } from './orders.ts'
import type { Route } from './route.ts'
import { tagRoutes } from './tags.ts'

/** Every resource of this release. */
export const routes: readonly Route[] = [
  ...tagRoutes('millCert'),
  ...tagRoutes('order'),
  ...certificateRoutes,
  ...orderRoutes,
]

import { actors } from './audit/actors.ts'
import { entries } from './audit/entries.ts'
import { log } from './audit/log.ts'
import { production } from './bars/production.ts'
import { certificates } from './certificates/certificates.ts'
import { access } from './company/access.ts'
import { dailyBytes } from './company/dailyBytes.ts'
import { filterProfiles } from './company/filterProfiles.ts'
import { persons } from './company/persons.ts'
import { releasePolicies } from './company/releasePolicies.ts'
import { webhooks } from './company/webhooks.ts'
import { deliveries } from './deliveries/deliveries.ts'
import { documents } from './documents/documents.ts'
import { idempotency } from './engine/idempotency.ts'
import type { Projection } from './engine/projection.ts'
import { orders } from './orders/orders.ts'
import { explanations } from './rulePacks/explanations.ts'
import { rulePacks } from './rulePacks/rulePacks.ts'
import { history } from './tags/history.ts'
import { tags } from './tags/tags.ts'

/** Every read model of this release. */
export const projections: readonly Projection[] = [
  tags,
  explanations,
  certificates,
  documents,
  orders,
  production,
  deliveries,
  filterProfiles,
  rulePacks,
  releasePolicies,
  webhooks,
  history,
  entries,
  access,
  persons,
  actors,
  idempotency,
  log,
  dailyBytes,
]

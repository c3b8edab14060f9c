import { access } from './access.ts'
import { actors } from './actors.ts'
import { certificates } from './certificates.ts'
import { documents } from './documents.ts'
import { entries } from './entries.ts'
import { explanations } from './explanations.ts'
import { filterProfiles } from './filterProfiles.ts'
import { history } from './history.ts'
import { idempotency } from './idempotency.ts'
import { log } from './log.ts'
import { orders } from './orders.ts'
import { persons } from './persons.ts'
import { production } from './production.ts'
import type { Projection } from './projection.ts'
import { releasePolicies } from './releasePolicies.ts'
import { rulePacks } from './rulePacks.ts'
import { tags } from './tags.ts'

/** Every read model of this release. */
export const projections: readonly Projection[] = [
  tags,
  explanations,
  certificates,
  documents,
  orders,
  production,
  filterProfiles,
  rulePacks,
  releasePolicies,
  history,
  entries,
  access,
  persons,
  actors,
  idempotency,
  log,
]

import { account } from './account.ts'
import type { Aggregate } from './aggregate.ts'
import { company } from './company.ts'
import { document } from './document.ts'
import type { DomainEvent } from './event.ts'
import { filterProfiles } from './filterProfiles.ts'
import { millCertificate } from './millCertificate.ts'
import { order } from './order.ts'
import { orderDispatches } from './orderDispatches.ts'
import { orderPacks } from './orderPacks.ts'
import { ownRulePack } from './ownRulePack.ts'
import { productionPlan } from './productionPlan.ts'
import { productionPlanBar } from './productionPlanBar.ts'
import { tagCatalogue } from './tagCatalogue.ts'
import type { EventTypes } from './versions.ts'

/** Every aggregate of this release. */
export const aggregates = [
  tagCatalogue,
  millCertificate,
  document,
  order,
  orderDispatches,
  orderPacks,
  productionPlan,
  productionPlanBar,
  filterProfiles,
  ownRulePack,
  company,
  account,
] as const satisfies readonly Pick<Aggregate<never, DomainEvent>, 'name' | 'eventVersions'>[]

/** Every event type of this release. */
export const domainEvents: EventTypes = {
  eventVersions: Object.assign({}, ...aggregates.map(({ eventVersions }) => eventVersions)),
  upcasters: Object.assign({}, ...aggregates.map(({ upcasters }) => upcasters)),
}

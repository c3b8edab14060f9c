import { productionPlanBar } from './bars/bar.ts'
import { productionPlan } from './bars/plan.ts'
import { millCertificate } from './certificates/certificate.ts'
import { account } from './company/account.ts'
import { company } from './company/company.ts'
import { filterProfiles } from './company/filterProfiles.ts'
import { document } from './documents/document.ts'
import type { Aggregate } from './kernel/aggregate.ts'
import type { DomainEvent } from './kernel/event.ts'
import type { EventTypes } from './kernel/versions.ts'
import { order } from './orders/order.ts'
import { orderDispatches } from './orders/orderDispatches.ts'
import { orderPacks } from './orders/orderPacks.ts'
import { ownRulePack } from './rulePacks/ownRulePack.ts'
import { tagCatalogue } from './tags/tagCatalogue.ts'

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

type TypesOf<A> = A extends EventTypes<infer Type> ? Type : never

export type EventType = TypesOf<(typeof aggregates)[number]>

/** Every event type of this release. */
export const domainEvents: EventTypes = {
  eventVersions: Object.assign({}, ...aggregates.map(({ eventVersions }) => eventVersions)),
  upcasters: Object.assign({}, ...aggregates.map(({ upcasters }) => upcasters)),
}

import type { AuditedTypes } from './audit/audited.ts'
import { productionPlanBar } from './bars/bar.ts'
import { productionPlan } from './bars/plan.ts'
import { millCertificate } from './certificates/certificate.ts'
import { account } from './company/account.ts'
import { company } from './company/company.ts'
import { filterProfiles } from './company/filterProfiles.ts'
import { webhooks } from './company/webhooks.ts'
import { delivery } from './deliveries/delivery.ts'
import { document } from './documents/document.ts'
import type { DomainEvent } from './kernel/event.ts'
import type { EventTypes } from './kernel/versions.ts'
import { order } from './orders/order.ts'
import { orderDispatches } from './orders/orderDispatches.ts'
import { orderPacks } from './orders/orderPacks.ts'
import { ownRulePack } from './rulePacks/ownRulePack.ts'
import { tagCatalogue } from './tags/tagCatalogue.ts'

/** The aggregates of a company. */
const ofCompanies = [
  tagCatalogue,
  millCertificate,
  document,
  delivery,
  order,
  orderDispatches,
  orderPacks,
  productionPlan,
  productionPlanBar,
  filterProfiles,
  webhooks,
  ownRulePack,
  company,
] as const

/** Every aggregate of this release. */
export const aggregates = [...ofCompanies, account] as const

type AnyEvent = Parameters<(typeof ofCompanies)[number]['evolve']>[1]

/** Every event of a company, in the newest version of its type. */
export type AuditedEvent<Type extends AnyEvent['type'] = AnyEvent['type']> = {
  [One in Type]: DomainEvent<One, Extract<AnyEvent, { readonly type: One }>['data']>
}[Type]

export const auditedEvents: AuditedTypes<AuditedEvent> = Object.assign(
  {},
  ...ofCompanies.map(({ events }) => events),
)

/** Every event type of this release. */
export const domainEvents: EventTypes = { ...auditedEvents, ...account.events }

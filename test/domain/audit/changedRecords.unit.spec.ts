import { describe, expect, it } from 'vitest'
import { type AuditedEvent, auditedEvents, domainEvents } from '../../../src/domain/aggregates.ts'
import { changeTypeOf, furtherRecordsOf } from '../../../src/domain/audit/changedRecords.ts'
import { subjectOf } from '../../../src/domain/audit/sentences.ts'
import { toNewestVersion } from '../../../src/domain/kernel/versions.ts'
import { production } from '../../../src/projections/bars/production.ts'
import { certificates } from '../../../src/projections/certificates/certificates.ts'
import { deliveries } from '../../../src/projections/deliveries/deliveries.ts'
import type { Handler } from '../../../src/projections/engine/projection.ts'
import { orders } from '../../../src/projections/orders/orders.ts'
import { storedEvents } from '../../golden/golden.ts'

/** The tables of which a record shows rows, by the kind of the record. Its id comes second in their keys. */
const shownBy: Record<string, string> = {
  certificate: 'certificate',
  order: 'order',
  lineItem: 'order',
  lineItemProgress: 'order',
  bar: 'bar',
  cut: 'bar',
  plan: 'plan',
  delivery: 'delivery',
}

const audited = storedEvents()
  .map(({ event }) => toNewestVersion(domainEvents, event) as unknown as AuditedEvent)
  .filter(({ type }) => Object.hasOwn(auditedEvents, type))

describe('the records that an event changes', () => {
  it.each(audited.map((event) => [event.type, event] as const))('are all named for %s', (type, event) => {
    const named = [subjectOf(event), ...furtherRecordsOf(event)].map(
      ({ subjectType, subjectId }) => `${subjectType}/${subjectId}`,
    )
    for (const { handlers } of [orders, production, certificates, deliveries]) {
      const handler = (handlers as unknown as Record<string, Handler<never, never> | undefined>)[type]
      for (const [table, keys] of Object.entries(handler?.touches(event as never) ?? {}))
        if (shownBy[table])
          for (const [, id] of keys as [string, string][]) expect(named).toContain(`${shownBy[table]}/${id}`)
    }
  })
})

describe('the type of a change', () => {
  it.each([
    ['bar', 'BarApprovalWithdrawn', 'heatmark.bar.approval-withdrawn.v1'],
    ['bar', 'FindingsOverridden', 'heatmark.bar.findings-overridden.v1'],
    ['certificate', 'MillCertificateRegistered', 'heatmark.certificate.registered.v1'],
    ['certificate', 'CertificateReleased', 'heatmark.certificate.released.v1'],
    ['certificate', 'RuleAssignmentsReplaced', 'heatmark.certificate.rule-assignments-replaced.v1'],
    ['plan', 'ProductionPlanCreated', 'heatmark.plan.created.v1'],
    ['plan', 'BarsPlanned', 'heatmark.plan.bars-planned.v1'],
    ['filterProfile', 'FilterProfileSaved', 'heatmark.filter-profile.saved.v1'],
    ['rulePack', 'OwnRulePackAdded', 'heatmark.rule-pack.own-rule-pack-added.v1'],
  ] as const)('of a %s for %s is %s', (subjectType, eventType, expected) => {
    expect(changeTypeOf(subjectType, eventType)).toBe(expected)
  })
})

import { readFileSync } from 'node:fs'
import { auditedEvents } from '../../src/domain/aggregates.ts'
import { productionPlanBar } from '../../src/domain/bars/bar.ts'
import { fold } from '../../src/domain/kernel/aggregate.ts'
import type { Recorded } from '../../src/domain/kernel/event.ts'
import { judge } from '../../src/domain/verdict/verdict.ts'
import type { VerdictFacts } from '../../src/domain/verdict/verdictFacts.ts'
import { routes } from '../../src/http/routes.ts'
import { projections } from '../../src/projections/all.ts'
import { foldInMemory } from '../projections/foldInMemory.ts'

/** Runs in a copy of the sources with the changes of `changes.ts`, and prints what has come of them. */

function stored(type: string, data: object): Recorded {
  const event = JSON.parse(readFileSync(`test/golden/events/${type}.json`, 'utf8'))
  return { ...event, data: { ...event.data, ...data } }
}

function rowsOf(projection: string, ...events: readonly Recorded[]) {
  return foldInMemory(projections.find(({ name }) => name === projection)!, events)
}

const opened = stored('BarOpened', {})
const { companyId, planId, barId } = opened.data as Readonly<Record<string, string>>
const noted: Recorded = {
  ...opened,
  type: 'BarNoted',
  revision: 1,
  position: opened.position + 1,
  data: { companyId, planId, barId, note: 'Rusty.' },
}
const bare = { acceptedCuts: [], orders: [], overrides: [], certificate: null, heatRead: null }
const policy = { severities: {}, byExecutionClass: {}, defaultInspectionDocument: null }
const facts = { bar: { grade: 'S355J2', profile: null }, policy, ...bare } as unknown as VerdictFacts

process.stdout.write(
  JSON.stringify({
    order: rowsOf('orders', stored('OrderRegistered', { siteName: 'Bridge 7' })).order![0]!.siteName,
    certificate: rowsOf('certificates', stored('MillCertificateRegistered', { millOrder: 'W 1' }))
      .certificate![0]!.millOrder,
    bar: fold(productionPlanBar, undefined, [opened, noted] as never),
    sentence: rowsOf('entries', noted).entry![0]!.message,
    isAudited: 'BarNoted' in auditedEvents,
    overrides: rowsOf('barOverrides', stored('FindingsOverridden', { reason: 'Measured.' })).override,
    findings: judge(facts).findings.map(({ code, severity }) => ({ code, severity })),
    operations: routes.map(({ operationId }) => operationId),
  }),
)

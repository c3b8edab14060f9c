import { z } from 'zod'
import { type FindOfHeat, readHeat, setBarCertificate } from '../../commands/bars/barCertificates.ts'
import {
  approveBar,
  changeCutStatus,
  completeBar,
  overrideFindings,
  startBar,
} from '../../commands/bars/bars.ts'
import { approvePlan } from '../../commands/bars/planApproval.ts'
import type { BarRecord } from '../../commands/bars/plannedBar.ts'
import type { Command, Workflow } from '../../commands/executor/command.ts'
import { ofHeat } from '../../domain/bars/heatRead.ts'
import type { Fault } from '../../domain/kernel/refusal.ts'
import { findHeat, heatReadFrom } from '../../projections/bars/heatRead.ts'
import { lookUpsIn } from '../../projections/bars/lookUps.ts'
import { production } from '../../projections/bars/production.ts'
import { findBar, findCut } from '../../projections/bars/productionQueries.ts'
import { deriveAnew } from '../../projections/engine/reading/derivedValues.ts'
import { countOf, filteredList } from '../../projections/engine/reading/filteredList.ts'
import { toDecide } from '../../projections/engine/reading/toDecide.ts'
import { findingKeys } from '../certificates/finding.ts'
import { savedFilters } from '../company/filterProfiles.ts'
import { listRoute } from '../kit/lists/listRoute.ts'
import { commandRoute } from '../kit/routing/commandRoute.ts'
import { ifAllowed } from '../kit/routing/ifAllowed.ts'
import { qualityOf } from '../kit/routing/qualityOf.ts'
import { recordRoute } from '../kit/routing/readRoute.ts'
import { id, type Route } from '../kit/routing/route.ts'
import {
  decisionsOnMany,
  idsOfMany,
  presentMany,
  revisions,
  unnamedRevisions,
} from '../kit/schemas/decisionsOnMany.ts'
import { number, performed, sortedAt, text, uuid } from '../kit/schemas/fields.ts'
import type { Principal, Services } from '../kit/services.ts'
import { barRecord, cutRecord, markTransferred, plannedCutStatus } from './barSchema.ts'
import { barVerdicts, listedBar } from './barVerdicts.ts'
import { overrideReason } from './override.ts'
import { barIfPreferred, presentDecidedBar, presentFoundBar } from './singleBar.ts'
import { judgedBarList } from './verdictFilter.ts'

/** Bars: approved, started, completed, and their cuts. */

const all = '/api/company/{companyId}/production-plan-bars'
const one = `${all}/{barId}` as const
const oneCut = `${one}/cuts/{cutId}` as const
const group = 'Production plan bars'
const reading = { tag: group, access: { company: 'view' } } as const
const approving = { tag: group, access: { company: 'approve' } } as const
const overriding = { tag: group, access: { company: 'override' } } as const
const sawing = { tag: group, access: { company: 'saw' } } as const

const identifying = { tag: group, access: { company: 'identify' } } as const

const override = z
  .strictObject({
    ...overrideReason,
    findings: findingKeys
      .min(1, 'must have at least 1 member')
      .meta({ description: 'The keys of the Block findings, each of them once.' }),
  })
  .meta({ id: 'FindingsOverride' })

const tap = z.strictObject(performed).meta({ id: 'FloorTap' })
const barCertificate = z
  .strictObject({
    millCertificationId: id.nullable().optional(),
    heatNumber: number.nullable().optional().meta({ description: 'As it is read off the steel.' }),
    reason: text(1, 500).optional().meta({ description: 'Required when the bar is Completed.' }),
    override: override.optional(),
    ...performed,
  })
  .meta({ id: 'BarCertificate' })

export const productionPlanBarRoutes: Route[] = [
  listRoute({
    ...reading,
    path: all,
    operationId: 'listProductionPlanBars',
    summary: 'List the bars, oldest plan first, each plan in the order of its bars',
    filters: judgedBarList(deriveAnew).filters,
    savedFilters,
    inclusions: { verdict: barVerdicts },
    hasAsOf: true,
    reads: [production],
    rows: (snapshot, { params, filterValues }, page, { derive = deriveAnew }) =>
      filteredList(judgedBarList(derive), snapshot, { ...params, filterValues }, page),
    count: (snapshot, { params, filterValues }, { derive = deriveAnew }) =>
      countOf(judgedBarList(derive), snapshot, { ...params, filterValues }),
    sortKey: z.tuple([sortedAt, uuid, z.int()]),
    item: listedBar,
  }),
  recordRoute({
    ...reading,
    path: one,
    operationId: 'getProductionPlanBar',
    summary: 'Read one bar',
    hasAsOf: true,
    reads: heatReadFrom,
    find: (snapshot, { params }) => findBar(snapshot, params.companyId, params.barId),
    missing: { code: 'bar-not-found', id: 'barId' },
    present: presentFoundBar,
    showsRevision: true,
    record: barRecord,
  }),
  commandRoute({
    ...approving,
    method: 'post',
    path: `${one}/approve`,
    operationId: 'approveProductionPlanBar',
    summary: 'Approve a Draft bar',
    description:
      'Refused with the findings when a Block stands against the bar. Quality and Admin may override the Blocks that the request names by their keys, with a reason.',
    body: z.strictObject({ override: override.optional() }).meta({
      id: 'BarApproval',
      examples: [
        {
          override: {
            findings: ['ef689607-216a-51bc-b07e-febfede2c6d7'],
            reason: 'Measured again by our laboratory.',
            reference: 'NCR 12',
          },
        },
      ],
    }),
    isBodyOptional: true,
    command: ({ params, body, principal }, services) =>
      ifAllowed(
        principal,
        params,
        body?.override,
        approveBar(params, lookUpsIn(services.reader), body?.override),
      ),
    ...barIfPreferred,
    conditional: true,
    problems: approveBar.refuses,
  }),
  commandRoute({
    ...approving,
    tag: 'Production plans',
    method: 'post',
    path: '/api/company/{companyId}/production-plans/{planId}/approve',
    operationId: 'approveProductionPlan',
    summary: 'Approve many bars of a production plan',
    description:
      'Without `barIds` all Draft bars of the plan. Each bar is approved by itself and has an answer of its own, so one that is refused does not hold up the others. An override covers its keys on each bar that has them; a key that none of the bars has is refused with 400. The request may be repeated.',
    body: z
      .strictObject({ barIds: idsOfMany.optional(), revisions, override: override.optional() })
      .meta({ id: 'ProductionPlanApproval' }),
    isBodyOptional: true,
    bodyFaults: unnamedRevisions('barIds'),
    conditional: 'each',
    command: ({ params, body, principal }, services) =>
      ifAllowed(
        principal,
        params,
        body?.override,
        approvePlan(params, body ?? {}, lookUpsIn(services.reader)),
      ),
    record: decisionsOnMany,
    present: (decisions) => presentMany(decisions, 204),
    problems: approvePlan.refuses,
  }),
  commandRoute({
    ...sawing,
    method: 'post',
    path: `${one}/start`,
    operationId: 'startProductionPlanBar',
    summary: 'Start an Approved bar',
    description:
      "The line items of its Accepted cuts become 'In Progress'. The bar is judged once more: with a Block that nobody has overridden it loses its approval instead, and the request is refused with 409 `bar-not-approved`.",
    body: tap,
    isBodyOptional: true,
    command: ({ params }, services) => startBar(params, lookUpsIn(services.reader)),
    ...barIfPreferred,
    conditional: true,
    problems: startBar.refuses,
  }),
  commandRoute({
    ...sawing,
    method: 'post',
    path: `${one}/complete`,
    operationId: 'completeProductionPlanBar',
    summary: 'Complete a Started bar',
    description:
      "Rolls a line item up to 'Completed' once all of its Accepted cuts, across every plan and bar, are on Completed bars. A bar that may not be cut is completed as well: its `stop` keeps the Block findings, and its pieces are held until Quality decides on them.",
    body: z
      .strictObject({
        ...performed,
        reason: text(1, 500).optional(),
        markTransferred: markTransferred.optional(),
      })
      .meta({ id: 'BarCompletion' }),
    isBodyOptional: true,
    command: ({ params, body }, services) => completeBar(params, lookUpsIn(services.reader), body),
    ...barIfPreferred,
    conditional: true,
    problems: completeBar.refuses,
  }),
  commandRoute({
    ...overriding,
    method: 'post',
    path: `${one}/override`,
    operationId: 'overrideFindings',
    summary: 'Go on in spite of Block findings',
    description:
      'Covers exactly the findings that it names, in any status of the bar, and ends with the approval. A rejected or voided certificate is never overridden.',
    body: override,
    command: ({ params, body }, services) => overrideFindings(params, lookUpsIn(services.reader), body),
    record: barRecord,
    present: presentDecidedBar,
    conditional: true,
    problems: overrideFindings.refuses,
  }),
  commandRoute({
    ...identifying,
    method: 'put',
    path: `${one}/certificate`,
    operationId: 'setBarCertificate',
    summary: 'Set the mill certificate of a bar, or the heat number read off its steel',
    description:
      'The body names a certificate or a heat number. A heat number is kept as `heatRead`. The bar keeps a certificate of that heat. Otherwise it gets the one live certificate of the heat that suits the profile of its lines; if there is not just one, a person sets one of `heatRead.offered`. An Approved or Started bar is judged with another certificate as for an approval, and one that blocks it is refused with 409 `bar-may-not-be-cut`. A heat and its certificate are recorded all the same, and an Approved bar is a draft again. Only Quality and Admin correct a Completed bar, with a reason. Another certificate ends every override. null removes the certificate, or the heat read, of a Draft bar.',
    body: barCertificate,
    bodyFaults: notOneOfBoth,
    command: ({ params, body, principal }, services) =>
      ifAllowed(principal, params, body.override, certify(params, body, principal, services)),
    record: barRecord,
    present: presentDecidedBar,
    conditional: true,
    problems: setBarCertificate.refuses,
  }),
  recordRoute({
    ...reading,
    path: oneCut,
    operationId: 'getCut',
    summary: 'Read one cut',
    hasAsOf: true,
    reads: [production],
    find: (snapshot, { params }) => findCut(snapshot, params),
    missing: { code: 'cut-not-found', id: 'cutId' },
    record: cutRecord,
    showsRevision: true,
  }),
  commandRoute({
    ...approving,
    method: 'put',
    path: oneCut,
    operationId: 'changeCutStatus',
    summary: 'Change the status of a cut',
    description:
      'A cut can change until its bar is Completed. A cut that becomes Accepted on an Approved or Started bar is judged as for an approval.',
    body: z
      .strictObject({ status: plannedCutStatus, override: override.optional(), ...performed })
      .meta({ id: 'CutStatusChange' }),
    command: ({ params, body: { status, override }, principal }, services) =>
      ifAllowed(
        principal,
        params,
        override,
        changeCutStatus(params, params.cutId, status, lookUpsIn(services.reader), override),
      ),
    record: cutRecord,
    conditional: true,
    problems: changeCutStatus.refuses,
  }),
]

/** A request names either the certificate or the heat. */
function notOneOfBoth(body: unknown): Fault[] {
  if (typeof body !== 'object' || body === null) return []
  const [hasCertificate, hasHeat] = ['millCertificationId' in body, 'heatNumber' in body]
  if (hasCertificate && hasHeat)
    return [
      {
        path: '/heatNumber',
        code: 'unknown-member',
        message: 'must be left out when millCertificationId is there',
      },
    ]
  if (hasCertificate || hasHeat) return []
  return [{ path: '/millCertificationId', code: 'required', message: 'is required without heatNumber' }]
}

function certify(
  address: { readonly companyId: string; readonly barId: string },
  { heatNumber, millCertificationId = null, ...reasons }: z.output<typeof barCertificate>,
  principal: Principal,
  services: Services,
): Command<BarRecord> | Workflow<BarRecord> {
  const certifying = {
    lookUps: lookUpsIn(services.reader),
    isQuality: qualityOf(principal, address.companyId),
  }
  return heatNumber === undefined
    ? setBarCertificate(address, { ...reasons, millCertificationId }, certifying)
    : readHeat(address, { ...reasons, heatNumber }, findOfHeat(services), certifying)
}

function findOfHeat({ reader }: Services): FindOfHeat {
  return async (address, heatNumber) => {
    const facts = await findHeat(toDecide(reader, address.companyId), address, heatNumber)
    return ofHeat(facts, heatNumber).map((one) => one.millCertificationId)
  }
}

import { z } from 'zod'
import {
  type CertificateAddress,
  reinstateCertificate,
  rejectCertificate,
  releaseCertificate,
  releaseCertificates,
  reopenCertificate,
  voidCertificate,
} from '../../commands/certificates/certificateDecisions.ts'
import type { CertificateRecord } from '../../commands/certificates/certificates.ts'
import { type VoidedCertificate, voidAndMoveBars } from '../../commands/certificates/certificateVoiding.ts'
import type { Command, Workflow } from '../../commands/executor/command.ts'
import type { Fault } from '../../domain/kernel/refusal.ts'
import type { ProblemCode } from '../../problems/catalogue.ts'
import { lookUpsIn } from '../../projections/bars/lookUps.ts'
import { findBarsToMove } from '../../projections/bars/productionQueries.ts'
import { commandRoute } from '../kit/routing/commandRoute.ts'
import { id, type Route } from '../kit/routing/route.ts'
import {
  decisionsOnMany,
  idsOfMany,
  presentMany,
  revisions,
  unnamedRevisions,
} from '../kit/schemas/decisionsOnMany.ts'
import { orNull, text } from '../kit/schemas/fields.ts'
import type { Services } from '../kit/services.ts'
import { presentDecided, singleCertificate } from './singleCertificate.ts'

/** The decisions on a mill certificate. */

const all = '/api/company/{companyId}/millcert/certificates'
const one = `${all}/{millCertificationId}` as const
const releasing = { tag: 'Mill certificates', access: { company: 'release' } } as const
const note = orNull(text(1, 500))
const reason = z.strictObject({ reason: text(1, 500) }).meta({ id: 'CertificateDecision' })

const voidedCertificate = singleCertificate
  .extend({
    movedBars: decisionsOnMany
      .optional()
      .meta({ description: 'The result for each bar that was to be moved, in the order of the plans.' }),
  })
  .meta({ id: 'VoidedCertificate' })

export const certificateDecisionRoutes: Route[] = [
  decisionRoute({
    step: 'release',
    operationId: 'releaseCertificate',
    summary: 'Release a mill certificate: its steel may be used',
    description:
      'From Received. With a Block finding it needs a `reason`; the Block stays. Correcting a value that the verdict depends on makes it Received again.',
    body: z
      .strictObject({ note, reason: orNull(text(1, 500)) })
      .meta({ id: 'CertificateRelease', examples: [{ note: 'Compared with the stamps.' }] }),
    isBodyOptional: true,
    decide: (address, body, { reader }) => releaseCertificate(address, body ?? {}, lookUpsIn(reader)),
    problems: releaseCertificate.refuses,
  }),
  commandRoute({
    ...releasing,
    method: 'post',
    path: `${all}/release`,
    operationId: 'releaseCertificates',
    summary: 'Release up to 500 mill certificates',
    description:
      'Each certificate is released by itself and has an answer of its own, so one that cannot be released, for example because of a Block finding, does not hold up the others. A Released one stays as it is. The request may be repeated: it completes what an earlier one left undone.',
    body: z.strictObject({ ids: idsOfMany, revisions, note }).meta({ id: 'CertificatesRelease' }),
    bodyFaults: unnamedRevisions('ids'),
    conditional: 'each',
    command: ({ params, body }, { reader }) => releaseCertificates(params.companyId, body, lookUpsIn(reader)),
    record: decisionsOnMany,
    present: (decisions) => presentMany(decisions, 200),
  }),
  decisionRoute({
    step: 'reject',
    operationId: 'rejectCertificate',
    summary: 'Reject a mill certificate: its steel may not be used',
    description: 'From Received or Released.',
    body: reason,
    decide: (address, body) => rejectCertificate(address, body.reason),
    problems: rejectCertificate.refuses,
  }),
  decisionRoute({
    step: 'reopen',
    operationId: 'reopenCertificate',
    summary: 'Make a released or rejected mill certificate Received again',
    body: reason,
    decide: (address, body) => reopenCertificate(address, body.reason),
    problems: rejectCertificate.refuses,
  }),
  commandRoute({
    ...releasing,
    method: 'post',
    path: `${one}/void`,
    operationId: 'voidCertificate',
    summary: 'Void a mill certificate that should not have been registered, or is replaced',
    description:
      'A certificate of any status can be voided. Lists leave it out unless it is asked for by its status. If the certificate is Voided already and has no replacement, it gets the one that the request names. `moveBars` gives the replacement to every bar of the certificate that is Draft, Approved or Started, before the certificate is voided. An Approved or Started bar is judged with the replacement as for an approval; one that is refused keeps the voided certificate. The request may be repeated.',
    body: z
      .strictObject({
        reason: text(1, 500),
        replacedBy: orNull(id).meta({
          description: 'The certificate that counts in its place. It must not be voided itself.',
        }),
        moveBars: z
          .boolean()
          .default(false)
          .meta({ description: 'Whether the bars get the replacement. It needs `replacedBy`.' }),
      })
      .meta({ id: 'CertificateVoiding' }),
    bodyFaults: missingReplacement,
    command: (
      { params, body: { reason, replacedBy, moveBars } },
      services,
    ): Command<VoidedCertificate> | Workflow<VoidedCertificate> =>
      moveBars && replacedBy !== null
        ? voidAndMoveBars(
            params,
            { reason, replacedBy },
            {
              findBars: (...certificate) => findBarsToMove(services.reader, ...certificate),
              lookUps: lookUpsIn(services.reader),
            },
          )
        : voidCertificate(params, reason, replacedBy),
    record: voidedCertificate,
    present: ({ movedBars: _, ...certificate }, reader) => presentDecided(certificate, reader),
    beside: ({ movedBars }) => movedBars && { movedBars: presentMany(movedBars, 200) },
    conditional: true,
    problems: rejectCertificate.refuses,
  }),
  decisionRoute({
    step: 'reinstate',
    operationId: 'reinstateCertificate',
    summary: 'Take the voiding of a mill certificate back: it is Received again',
    body: reason,
    decide: (address, body) => reinstateCertificate(address, body.reason),
    problems: rejectCertificate.refuses,
  }),
]

/** Bars can only be moved to a certificate that the request names. */
function missingReplacement(body: unknown): readonly Fault[] {
  const { moveBars, replacedBy = null } = (body ?? {}) as { moveBars?: unknown; replacedBy?: unknown }
  if (moveBars !== true || replacedBy !== null) return []
  return [
    {
      path: '/moveBars',
      code: 'unknown-member',
      message: 'must be left out without replacedBy, which names the certificate that the bars get',
    },
  ]
}

function decisionRoute<Body extends z.ZodType>({
  step,
  decide,
  ...declared
}: {
  readonly step: string
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly body: Body
  readonly isBodyOptional?: boolean
  readonly decide: (
    address: CertificateAddress,
    body: z.output<Body>,
    services: Services,
  ) => Command<CertificateRecord>
  readonly problems: readonly ProblemCode[]
}): Route {
  return commandRoute({
    ...declared,
    ...releasing,
    method: 'post',
    path: `${one}/${step}` as `${typeof one}/decision`,
    command: ({ params, body }, services) => decide(params, body, services),
    record: singleCertificate,
    present: presentDecided,
    conditional: true,
  })
}

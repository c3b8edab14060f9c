import { z } from 'zod'
import {
  type CertificateAddress,
  reinstateCertificate,
  rejectCertificate,
  releaseCertificate,
  releaseCertificates,
  reopenCertificate,
  voidCertificate,
} from '../commands/certificateDecisions.ts'
import type { CertificateRecord } from '../commands/certificates.ts'
import type { Command } from '../commands/command.ts'
import type { ProblemCode } from '../problems/catalogue.ts'
import { command } from './kit/routing/commandRoute.ts'
import { id, type Route } from './kit/routing/route.ts'
import { decisionsOnMany, idsOfMany, presentMany } from './kit/schemas/decisionsOnMany.ts'
import { orNull, spoken } from './kit/schemas/fields.ts'
import { presentDecided, singleCertificate } from './kit/schemas/singleCertificate.ts'

/** The decisions on a mill certificate. */

const all = '/api/company/{companyId}/millcert/certificates'
const one = `${all}/{millCertificationId}` as const
const releasing = { tag: 'Mill certificates', access: { company: 'release' } } as const
const note = orNull(spoken(1, 500))
const reason = z.strictObject({ reason: spoken(1, 500) }).meta({ id: 'CertificateDecision' })

export const certificateDecisionRoutes: Route[] = [
  decision({
    step: 'release',
    operationId: 'releaseCertificate',
    summary: 'Release a mill certificate: its steel may be used',
    description:
      'From Received. Correcting a judged value afterwards (grade, standard, document, chemistry, mechanical values, thickness, profile, delivery condition, Z quality) makes it Received again.',
    body: z.strictObject({ note }).meta({ id: 'CertificateRelease' }),
    isBodyOptional: true,
    decide: (address, body) => releaseCertificate(address, body?.note ?? null),
    problems: releaseCertificate.refuses,
  }),
  command({
    ...releasing,
    method: 'post',
    path: `${all}/release`,
    operationId: 'releaseCertificates',
    summary: 'Release up to 500 mill certificates',
    description:
      'Each certificate is released by itself and has an answer of its own, so one that cannot be released does not hold up the others. A Released one stays as it is. The request may be repeated: it completes what an earlier one left undone.',
    body: z.strictObject({ ids: idsOfMany, note }).meta({ id: 'CertificatesRelease' }),
    command: ({ params, body }) => releaseCertificates(params.companyId, body.ids, body.note),
    record: decisionsOnMany,
    present: (decisions) => presentMany(decisions, 200),
  }),
  decision({
    step: 'reject',
    operationId: 'rejectCertificate',
    summary: 'Reject a mill certificate: its steel may not be used',
    description: 'From Received or Released.',
    body: reason,
    decide: (address, body) => rejectCertificate(address, body.reason),
    problems: rejectCertificate.refuses,
  }),
  decision({
    step: 'reopen',
    operationId: 'reopenCertificate',
    summary: 'Make a released or rejected mill certificate Received again',
    body: reason,
    decide: (address, body) => reopenCertificate(address, body.reason),
    problems: rejectCertificate.refuses,
  }),
  decision({
    step: 'void',
    operationId: 'voidCertificate',
    summary: 'Void a mill certificate that should not have been registered, or is replaced',
    description:
      'From any status. Lists leave it out unless it is asked for by its status. If the certificate is Voided already and has no replacement, it gets the one that the request names.',
    body: z
      .strictObject({
        reason: spoken(1, 500),
        replacedBy: orNull(id).meta({
          description: 'The certificate that counts in its place. It must not be voided itself.',
        }),
      })
      .meta({ id: 'CertificateVoiding' }),
    decide: (address, body) => voidCertificate(address, body.reason, body.replacedBy),
    problems: rejectCertificate.refuses,
  }),
  decision({
    step: 'reinstate',
    operationId: 'reinstateCertificate',
    summary: 'Take the voiding of a mill certificate back: it is Received again',
    body: reason,
    decide: (address, body) => reinstateCertificate(address, body.reason),
    problems: rejectCertificate.refuses,
  }),
]

function decision<Body extends z.ZodType>({
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
  readonly decide: (address: CertificateAddress, body: z.output<Body>) => Command<CertificateRecord>
  readonly problems: readonly ProblemCode[]
}): Route {
  return command({
    ...declared,
    ...releasing,
    method: 'post',
    path: `${one}/${step}` as `${typeof one}/decision`,
    command: ({ params, body }) => decide(params, body),
    record: singleCertificate,
    present: presentDecided,
    conditional: true,
  })
}

import { z } from 'zod'
import { correctCertificate, registerCertificate } from '../../commands/certificates/certificates.ts'
import { refusedByQualityOnly } from '../../commands/company/qualityOnly.ts'
import {
  type CertificateContent,
  certificateFields,
  certificateNumbers,
} from '../../domain/certificates/certificateContent.ts'
import { certificateStatuses } from '../../domain/certificates/certificateStatus.ts'
import { usualElements } from '../../domain/certificates/elements.ts'
import { type Edit, replaceMembers, type Sent } from '../../domain/kernel/edit.ts'
import { certificateJudgedFrom, findCertificate } from '../../projections/bars/verdicts.ts'
import {
  certificateList,
  certificates,
  liveCertificateList,
} from '../../projections/certificates/certificates.ts'
import { countOf, filteredList } from '../../projections/engine/reading/filteredList.ts'
import type { FilterValues } from '../../projections/engine/reading/filters.ts'
import { tags } from '../../projections/tags/tags.ts'
import { savedFilters } from '../company/filterProfiles.ts'
import { asAllowed, certificateIntake, wholeCertificate } from '../imports/intake/certificates.ts'
import { listRoute } from '../kit/lists/listRoute.ts'
import { bulkRoute } from '../kit/routing/bulkRoute.ts'
import { commandRoute } from '../kit/routing/commandRoute.ts'
import { recordRoute } from '../kit/routing/readRoute.ts'
import type { Route } from '../kit/routing/route.ts'
import { bodyOf, patchOf } from '../kit/schemas/declared.ts'
import { applyPatch, asEdit } from '../kit/schemas/edit.ts'
import { uuid } from '../kit/schemas/fields.ts'
import type { Principal, Services } from '../kit/services.ts'
import { certificate } from './certificateSchema.ts'
import { certificateFindings } from './includedFindings.ts'
import { presentDecided, presentFound, singleCertificate } from './singleCertificate.ts'

/** Mill certificates: registered, corrected, listed. */

const numbers = asEdit(bodyOf(certificateNumbers))

const correction = z.strictObject({ ...numbers, ...asEdit(bodyOf(certificateFields)) }).meta({
  id: 'CertificateCorrection',
  sharedMembers: 'CertificateMembers',
  description: 'A member that is left out stays as it is. The numbers never change.',
})

const patch = z.strictObject({ ...numbers, ...patchOf(certificateFields) }).meta({
  id: 'CertificatePatch',
  sharedMembers: 'CertificateMembers',
})

const all = '/api/company/{companyId}/millcert/certificates'
const one = `${all}/{millCertificationId}` as const
const group = 'Mill certificates'
const reading = { tag: group, access: { company: 'view' } } as const
const writing = { tag: group, access: { company: 'certify' } } as const

export const certificateRoutes: Route[] = [
  listRoute({
    ...reading,
    path: all,
    operationId: 'listCertificates',
    summary: 'List the mill certificates, by certificate number and heat number',
    filters: certificateList.filters,
    savedFilters,
    inclusions: { findings: certificateFindings },
    hasAsOf: true,
    reads: [certificates, tags],
    rows: (snapshot, { params, filterValues }, page) =>
      filteredList(listFor(filterValues), snapshot, { ...params, filterValues }, page),
    count: (snapshot, { params, filterValues }) =>
      countOf(listFor(filterValues), snapshot, { ...params, filterValues }),
    sortKey: z.tuple([z.string(), z.string(), uuid]),
    item: certificate,
    namedKeys: { chemistry: usualElements },
    everything: { status: [...certificateStatuses] },
  }),
  commandRoute({
    ...writing,
    method: 'post',
    path: all,
    operationId: 'registerCertificate',
    summary: 'Register a mill certificate',
    description:
      'The id is derived from the numbers, however they are spelled. Content that equals the present record, or the first registration, returns the record; other content is refused.',
    body: certificateIntake.body,
    command: certificateIntake.command,
    record: singleCertificate,
    present: presentDecided,
    location: ({ companyId, millCertificationId }) =>
      `/api/company/${companyId}/millcert/certificates/${millCertificationId}`,
    problems: registerCertificate.refuses,
  }),
  bulkRoute({
    ...writing,
    path: `${all}/bulk`,
    operationId: 'registerCertificates',
    summary: 'Register or correct up to 10,000 mill certificates, one on each line',
    description:
      'Each line is carried out on its own: a faulty line does not affect the others, and the whole request may be repeated.',
    ...certificateIntake,
  }),
  recordRoute({
    ...reading,
    path: one,
    operationId: 'getCertificate',
    summary: 'Read one mill certificate',
    hasAsOf: true,
    reads: certificateJudgedFrom,
    find: (snapshot, { params }) => findCertificate(snapshot, params.companyId, params.millCertificationId),
    missing: { code: 'certificate-not-found', id: 'millCertificationId' },
    present: presentFound,
    whileLacking: 'noFindings',
    record: singleCertificate,
    showsRevision: true,
  }),
  commandRoute({
    ...writing,
    method: 'put',
    path: one,
    operationId: 'correctCertificate',
    summary: 'Correct a mill certificate',
    description: 'chemistry and mechanical are replaced as a whole.',
    body: correction,
    command: (request, services) =>
      correct(request, services, (sent) => replaceMembers(sent as Sent<CertificateContent>)),
    record: singleCertificate,
    present: presentDecided,
    conditional: true,
    problems: [...correctCertificate.refuses, ...refusedByQualityOnly],
  }),
  commandRoute({
    ...writing,
    method: 'patch',
    path: one,
    operationId: 'patchCertificate',
    summary: 'Change some values of a mill certificate',
    body: patch,
    command: (request, services) =>
      correct(request, services, (sent) => applyPatch(wholeCertificate, sent) as Edit<CertificateContent>),
    record: singleCertificate,
    present: presentDecided,
    conditional: true,
    problems: [...correctCertificate.refuses, ...refusedByQualityOnly],
  }),
]

/** A caller who follows changes has to hear of a voiding, too. */
function listFor({ status, updatedSince }: FilterValues) {
  return status || updatedSince ? certificateList : liveCertificateList
}

interface CorrectionRequest {
  readonly params: { readonly companyId: string; readonly millCertificationId: string }
  readonly body: z.output<typeof correction> | z.output<typeof patch>
  readonly principal: Principal
}

/** Correct a certificate. `editOf` says how the values that were sent change the present ones. */
function correct(
  { params, body: { certificateNumber, heatNumber, item, ...sent }, principal }: CorrectionRequest,
  services: Services,
  editOf: (sent: object) => Edit<CertificateContent>,
) {
  const { companyId, millCertificationId } = params
  const numbers = { certificateNumber, heatNumber, item }
  const corrected = correctCertificate(companyId, millCertificationId, numbers, editOf(sent))
  return asAllowed(params, principal, services, corrected)
}

import type {
  MillCertificateCorrected,
  MillCertificateEvent,
  MillCertificateRegistered,
} from '../../domain/certificates/certificate.ts'
import { certificateFields, certificateNumbers } from '../../domain/certificates/certificateContent.ts'
import type { CertificateDecision } from '../../domain/certificates/certificateDecisions.ts'
import { certificateTransitions, statusAfterCorrection } from '../../domain/certificates/certificateStatus.ts'
import { ladleAnalysisKey } from '../../domain/certificates/ladleAnalysis.ts'
import type { AttachmentEvent } from '../../domain/documents/certificateDocuments.ts'
import type { Recorded } from '../../domain/kernel/event.ts'
import { pick } from '../../domain/kernel/fields.ts'
import { nearKey, normalise } from '../../domain/kernel/spellings.ts'
import { searchKeysOf, steelSearchVersion } from '../../domain/steel/steelSearch.ts'
import { tagsChanged } from '../../domain/tags/assignments.ts'
import type { AssignmentEvent } from '../../domain/tags/subject.ts'
import { production } from '../bars/production.ts'
import { defineProjection, type Handler, type Rows } from '../engine/projection.ts'
import type { FilterableList } from '../engine/reading/filteredList.ts'
import type { Filter } from '../engine/reading/filters.ts'
import { columnsOf } from '../engine/reading/listQuery.ts'
import { storedWords, wordFilter } from '../engine/wordFilter.ts'
import { changeTagIds, latestUpdate, tagFilters } from '../tags/subjectTags.ts'
import { joinTags } from '../tags/tagAssignments.ts'
import { certificate, columnFilters, order, tables } from './certificateTables.ts'

/** Mill certificates as they stand. */

const tagged = {
  touches({ data }: AssignmentEvent) {
    const { companyId, subjectId: millCertificationId } = data
    if (data.family !== 'millCert' || !tagsChanged({ data })) return {}
    const { gained, lost } = data.usage
    return {
      certificate: [[companyId, millCertificationId]],
      certificateTag: [...gained, ...lost].map((tagId) => [companyId, millCertificationId, tagId]),
    }
  },
  apply(rows: Rows<typeof tables>, { data, metadata }: Recorded<AssignmentEvent>) {
    const { companyId, subjectId: millCertificationId } = data
    if (data.family !== 'millCert' || !tagsChanged({ data })) return
    const { gained, lost } = data.usage
    const before = rows.certificate.get([companyId, millCertificationId])
    for (const tagId of lost) rows.certificateTag.delete([companyId, millCertificationId, tagId])
    if (!before) return
    const { heatKey } = before
    for (const tagId of gained) rows.certificateTag.put({ companyId, millCertificationId, tagId, heatKey })
    rows.certificate.update([companyId, millCertificationId], ({ tagIds }) => ({
      tagIds: changeTagIds(tagIds, data.usage),
      updatedAt: metadata.occurredAt,
    }))
  },
}

const decided: Handler<typeof tables, CertificateDecision> = {
  touches: ({ data }) => ({ certificate: [[data.companyId, data.millCertificationId]] }),
  apply: (rows, { type, data, metadata, revision }) =>
    rows.certificate.update([data.companyId, data.millCertificationId], {
      status: certificateTransitions[type].to,
      replacedBy: type === 'CertificateVoided' ? data.replacedBy : null,
      updatedAt: metadata.occurredAt,
      revision,
    }),
}

/** The read model of documents shows what is attached. */
const attachmentsChanged: Handler<typeof tables, AttachmentEvent> = {
  touches: ({ data }) => ({ certificate: [[data.companyId, data.millCertificationId]] }),
  apply: (rows, { data, metadata, revision }) =>
    rows.certificate.update([data.companyId, data.millCertificationId], {
      updatedAt: metadata.occurredAt,
      revision,
    }),
}

export const certificates = defineProjection<MillCertificateEvent>()({
  name: 'certificates',
  version: 1,
  parserVersion: steelSearchVersion,
  tables,
  handlers: {
    MillCertificateRegistered: {
      touches: ({ data }) => touches(data, gradesIn(data)),
      apply: (rows, event) => {
        rows.certificate.put({
          ...factsOf(event),
          registeredAt: event.metadata.occurredAt,
          status: 'Received',
          replacedBy: null,
          tagIds: '',
        })
        putGrades(rows, event.data, 0)
      },
    },
    MillCertificateCorrected: {
      touches: ({ data }) => touches(data, Math.max(gradesIn(factsBefore(data)), gradesIn(data))),
      apply: (rows, event) => {
        const { companyId, millCertificationId, changes } = event.data
        rows.certificate.update([companyId, millCertificationId], (before) => ({
          ...factsOf(event),
          status: statusAfterCorrection(before.status, changes),
        }))
        putGrades(rows, event.data, gradesIn(factsBefore(event.data)))
      },
    },
    ManualAssignmentsReplaced: tagged,
    RuleAssignmentsReplaced: tagged,
    CertificateReleased: decided,
    CertificateRejected: decided,
    CertificateReopened: decided,
    CertificateVoided: decided,
    CertificateReinstated: decided,
    DocumentAttached: attachmentsChanged,
    DocumentDetached: attachmentsChanged,
  },
})

const fields = {
  ...columnsOf(certificate, 'c', [
    'certificateKey',
    'heatKey',
    'heatNearKey',
    'manufacturerKey',
    'ladleAnalysisKey',
    'tagIds',
    'words',
  ]),
  updatedAt: latestUpdate('c'),
  tags: 'shown.tags',
  blocked: 'shown.blocked',
}

const words = wordFilter('the certificate number, the heat number or the manufacturer')

/** A heat number is also found as `heatLike` finds it. */
const wordsOrNearHeat: typeof words = {
  ...words,
  description: `${words.description} Finds a whole heat number as heatLike does, too.`,
  matches: (sql, starts) =>
    `(${words.matches(sql, starts)} OR ${sql.row}.heat_near_key = ${sql.bind(nearKey(starts.join('')))})`,
}

/** The certificates of a company, with their active tags. */
export const certificateList: FilterableList = {
  filters: {
    ...columnFilters,
    ...tagFilters('millCert'),
    orderId: {
      parameter: { kind: 'id' },
      description: 'An order that a cut of one of its bars is for, whatever the status of the cut.',
      reads: [production],
      matches: ({ reading, row, bind }, orderId) => `${row}.mill_certification_id IN (
        SELECT b.mill_certification_id FROM ${reading.table(production, 'bar')} b
        JOIN ${reading.table(production, 'cut')} s ON s.company_id = b.company_id AND s.bar_id = b.bar_id
        WHERE s.company_id = $1 AND s.order_id = ${bind(orderId)})`,
    } satisfies Filter<string>,
    q: wordsOrNearHeat,
  },
  table: (reading) => reading.table(certificates, 'certificate'),
  row: 'c',
  order,
  select: fields,
  details: (reading) => joinTags(reading, 'millCert', 'c', 'mill_certification_id'),
}

/** Voided certificates are listed only for those who ask for them. */
export const liveCertificateList: FilterableList = { ...certificateList, visible: "c.status <> 'Voided'" }

type Facts = MillCertificateRegistered['data']

function touches({ companyId, millCertificationId }: Facts, grades: number) {
  return {
    certificate: [[companyId, millCertificationId]],
    certificateGrade: Array.from({ length: grades }, (_, ordinal) => [
      companyId,
      millCertificationId,
      ordinal,
    ]),
  }
}

function gradesIn(facts: Facts): number {
  return searchKeysOf(facts).steelKeys.length
}

/** The facts before the correction. */
function factsBefore({ changes, ...facts }: MillCertificateCorrected['data']): Facts {
  return { ...facts, ...Object.fromEntries(changes.map(({ field, from }) => [field, from])) }
}

function putGrades(rows: Rows<typeof tables>, data: Facts, gradesBefore: number): void {
  const { companyId, millCertificationId } = data
  const registered = rows.certificate.get([companyId, millCertificationId])
  if (!registered) return
  const { registeredAt } = registered
  const { steelKeys, profileKey } = searchKeysOf(data)
  for (const [ordinal, steelKey] of steelKeys.entries())
    rows.certificateGrade.put({
      companyId,
      millCertificationId,
      ordinal,
      steelKey,
      profileKey,
      registeredAt,
    })
  for (let ordinal = steelKeys.length; ordinal < gradesBefore; ordinal += 1)
    rows.certificateGrade.delete([companyId, millCertificationId, ordinal])
}

function factsOf({
  data,
  metadata,
  revision,
}: Recorded<MillCertificateRegistered | MillCertificateCorrected>) {
  const { companyId, millCertificationId, certificateNumber, heatNumber, manufacturer } = data
  return {
    companyId,
    millCertificationId,
    ...pick(certificateNumbers, data),
    certificateKey: normalise(certificateNumber),
    heatKey: normalise(heatNumber),
    heatNearKey: nearKey(heatNumber),
    manufacturerKey: manufacturer === null ? null : normalise(manufacturer),
    ...pick(certificateFields, data),
    ladleAnalysisKey: ladleAnalysisKey(data),
    updatedAt: metadata.occurredAt,
    updatedBy: metadata.actor.id,
    words: storedWords(companyId, certificateNumber, heatNumber, manufacturer),
    revision,
  }
}

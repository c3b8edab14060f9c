import { type AuditedEvent, auditedEvents } from '../../domain/aggregates.ts'
import type { StateBefore } from '../../domain/audit/audited.ts'
import { subjectOf } from '../../domain/audit/sentences.ts'
import { certificateTransitions, statusAfterCorrection } from '../../domain/certificates/certificateStatus.ts'
import type { Recorded } from '../../domain/kernel/event.ts'
import { tagsIn } from '../../domain/tags/assignmentEvents.ts'
import { defineProjection, type Handler, handleAll, type Key, type Rows } from '../engine/projection.ts'
import { type Tables, tables, tell, tellOfUnknown } from './entryRows.ts'

/** Every event of each company, in plain words. */

const entryHandler: Handler<Tables, AuditedEvent> = {
  touches: (event) => {
    const { companyId } = event.data
    return {
      toldTag: tagIdsOf(event).map((id): Key => [companyId, id]),
      toldCertificate: certificateIdsOf(event).map((id): Key => [companyId, id]),
    }
  },
  apply: (rows, event) => {
    tell(rows, event, stateBefore(rows, event))
    remember(rows, event)
  },
}

export const entries = defineProjection<AuditedEvent>()({
  name: 'entries',
  version: 1,
  tables,
  handlers: handleAll(auditedEvents, entryHandler),
  anyEvent: { touches: () => ({}), apply: tellOfUnknown },
})

/** Return the ids of the tags that an event names, or whose names it changes. */
function tagIdsOf({ type, data }: AuditedEvent): readonly string[] {
  switch (type) {
    case 'TagCreated':
    case 'TagUpdated':
      return [data.tagId]
    case 'ManualAssignmentsReplaced':
    case 'RuleAssignmentsReplaced': {
      const { added, removed } = tagsIn(data)
      return [...new Set([...added, ...removed].map(({ tagId }) => tagId))]
    }
    default:
      return []
  }
}

/** Return the ids of the certificate that an event is about, and of the certificates that it names. */
function certificateIdsOf(event: AuditedEvent): readonly string[] {
  const { type, data } = event
  if (type === 'BarCertificateSet')
    return [data.millCertificationId, data.formerMillCertificationId].filter((id) => id !== null)
  if (subjectOf(event).subjectType !== 'certificate' || !('millCertificationId' in data)) return []
  const replacedBy = type === 'CertificateVoided' ? data.replacedBy : null
  return [data.millCertificationId, replacedBy].filter((id) => id !== null)
}

function stateBefore(rows: Rows<Tables>, event: AuditedEvent): StateBefore {
  const { companyId } = event.data
  const tags = tagIdsOf(event).flatMap((id) => rows.toldTag.get([companyId, id]) ?? [])
  const certificates = certificateIdsOf(event).flatMap(
    (id) => rows.toldCertificate.get([companyId, id]) ?? [],
  )
  const { subjectId } = subjectOf(event)
  return {
    tagNames: new Map(tags.map(({ tagId, name }) => [tagId, name])),
    certificateNumbers: new Map(
      certificates.map(({ millCertificationId, certificateNumber }) => [
        millCertificationId,
        certificateNumber,
      ]),
    ),
    certificateStatus: certificates.find(({ millCertificationId }) => millCertificationId === subjectId)
      ?.status,
  }
}

/** Keep what sentences about later events need. */
function remember(rows: Rows<Tables>, { type, data }: Recorded<AuditedEvent>): void {
  const { companyId } = data
  switch (type) {
    case 'TagCreated':
    case 'TagUpdated': {
      const { tagId, name } = data
      rows.toldTag.put({ companyId, tagId, name })
      return
    }
    case 'MillCertificateRegistered': {
      const { millCertificationId, certificateNumber } = data
      rows.toldCertificate.put({ companyId, millCertificationId, certificateNumber, status: 'Received' })
      return
    }
    case 'MillCertificateCorrected':
      rows.toldCertificate.update([companyId, data.millCertificationId], ({ status }) => ({
        status: statusAfterCorrection(status, data.changes),
      }))
      return
    case 'CertificateReleased':
    case 'CertificateRejected':
    case 'CertificateReopened':
    case 'CertificateVoided':
    case 'CertificateReinstated':
      rows.toldCertificate.update([companyId, data.millCertificationId], {
        status: certificateTransitions[type].to,
      })
  }
}

import { Link } from 'wouter'
import type { AuditTrailEntry } from '../../api/generated.ts'
import { pathIn, useCompanyId } from '../../app/company.tsx'
import { type TextName, useTexts } from '../../texts/texts.ts'

/** The record that an entry of the audit trail is about. */

export type SubjectType = AuditTrailEntry['subject']['type']

export const subjectTexts: Readonly<Record<SubjectType, TextName>> = {
  certificate: 'certificate',
  order: 'order',
  bar: 'bar',
  plan: 'plan',
  tag: 'tag',
  delivery: 'delivery',
  document: 'documentFile',
  filterProfile: 'filterProfile',
  rulePack: 'rulePack',
  member: 'member',
  webhook: 'webhook',
  company: 'company',
  other: 'otherRecord',
}

/** Records that have an address of their own. */
const places: Partial<Record<SubjectType, string>> = {
  certificate: '/certificates',
  order: '/orders',
  bar: '/bars',
}

export function AuditSubject({ type, id, label }: AuditTrailEntry['subject']) {
  const { t } = useTexts()
  const companyId = useCompanyId()
  const place = places[type]
  return (
    <>
      <span className="muted small">{t(subjectTexts[type])}</span>{' '}
      <span className="auditSubject">
        {place ? <Link href={pathIn(companyId, `${place}/${id}`)}>{label}</Link> : label}
      </span>
    </>
  )
}

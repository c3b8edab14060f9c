import {
  type CertificateContent,
  certificateFields,
  type MechanicalValues,
} from '../domain/certificateContent.ts'
import type { Recorded } from '../domain/event.ts'
import { pick } from '../domain/fields.ts'
import { normalise } from '../domain/identifiers.ts'
import type { MillCertificateCorrected, MillCertificateRegistered } from '../domain/millCertificate.ts'
import {
  bigint,
  type Column,
  date,
  defineProjection,
  double,
  json,
  nullable,
  table,
  text,
  timestamptz,
  uuid,
} from './projection.ts'
import { columnsOf, type ListQuery, listQuery, type Page, singleQuery } from './reading/listQuery.ts'
import type { Reading } from './reading/reader.ts'
import { shownTags } from './tags.ts'

/** Mill certificates as they stand. */

/** A column for each value. The type checker names a value that has none. */
const contentColumns = {
  standard: nullable(text),
  grade: text,
  inspectionDocument: text,
  manufacturer: nullable(text),
  productForm: nullable(text),
  thicknessMm: nullable(double),
  chemistry: nullable(json<Readonly<Record<string, number>>>()),
  mechanical: nullable(json<MechanicalValues>()),
  issuedOn: nullable(date),
} satisfies Record<keyof CertificateContent, Column>

const certificate = table({
  columns: {
    companyId: uuid,
    millCertificationId: uuid,
    certificateNumber: text,
    heatNumber: text,
    /** The numbers in the form that decides order and identity. */
    certificateKey: text,
    heatKey: text,
    ...contentColumns,
    registeredAt: timestamptz,
    revision: bigint,
  },
  key: ['companyId', 'millCertificationId'],
  indexes: [['companyId', 'certificateKey', 'heatKey', 'millCertificationId']],
})

function factsOf({ data, revision }: Recorded<MillCertificateRegistered | MillCertificateCorrected>) {
  const { companyId, millCertificationId, certificateNumber, heatNumber } = data
  return {
    companyId,
    millCertificationId,
    certificateNumber,
    heatNumber,
    certificateKey: normalise(certificateNumber),
    heatKey: normalise(heatNumber),
    ...pick<CertificateContent>(certificateFields, data),
    revision,
  }
}

export const certificates = defineProjection<MillCertificateRegistered | MillCertificateCorrected>()({
  name: 'certificates',
  version: 1,
  tables: { certificate },
  handlers: {
    MillCertificateRegistered: {
      touches: ({ data }) => ({ certificate: [[data.companyId, data.millCertificationId]] }),
      apply: (rows, event) =>
        rows.certificate.put({ ...factsOf(event), registeredAt: event.metadata.occurredAt }),
    },
    MillCertificateCorrected: {
      touches: ({ data }) => ({ certificate: [[data.companyId, data.millCertificationId]] }),
      apply: (rows, event) =>
        rows.certificate.update([event.data.companyId, event.data.millCertificationId], factsOf(event)),
    },
  },
})

const fields = {
  ...columnsOf(certificate, 'c', ['certificateKey', 'heatKey', 'revision']),
  tags: 'shown.tags',
  blocked: 'shown.blocked',
}

function from(reading: Reading): string {
  return `${reading.table(certificates, 'certificate')} c ${shownTags(reading, 'millCert', 'c', 'mill_certification_id')}`
}

/** All certificates of a company, with their active tags. */
export function listCertificates(reading: Reading, companyId: string, page?: Page): ListQuery {
  return listQuery(
    {
      select: fields,
      from: from(reading),
      where: 'c.company_id = $1',
      values: [companyId],
      order: ['c.certificate_key', 'c.heat_key', 'c.mill_certification_id'],
    },
    page,
  )
}

/** One certificate, with its `revision`. */
export function findCertificate(reading: Reading, companyId: string, millCertificationId: string): ListQuery {
  return singleQuery({
    select: { ...fields, revision: 'c.revision' },
    from: from(reading),
    where: 'c.company_id = $1 AND c.mill_certification_id = $2',
    values: [companyId, millCertificationId],
  })
}

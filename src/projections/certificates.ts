import { normalise } from '../domain/identifiers.ts'
import type {
  MechanicalValues,
  MillCertificateCorrected,
  MillCertificateRegistered,
} from '../domain/millCertificate.ts'
import {
  bigint,
  date,
  defineProjection,
  double,
  json,
  nullable,
  type RowOf,
  table,
  text,
  timestamptz,
  uuid,
} from './projection.ts'
import { type ListQuery, listQuery, type Page, singleQuery } from './reading/listQuery.ts'
import type { Reading } from './reading/reader.ts'
import { shownTags } from './tags.ts'

/** Mill certificates as they stand. */

const certificate = table({
  columns: {
    companyId: uuid,
    millCertificationId: uuid,
    certificateNumber: text,
    heatNumber: text,
    /** The numbers as they count for order and identity. */
    certificateKey: text,
    heatKey: text,
    standard: nullable(text),
    grade: text,
    inspectionDocument: text,
    manufacturer: nullable(text),
    productForm: nullable(text),
    thicknessMm: nullable(double),
    chemistry: nullable(json<Readonly<Record<string, number>>>()),
    mechanical: nullable(json<MechanicalValues>()),
    issuedOn: nullable(date),
    registeredAt: timestamptz,
    revision: bigint,
  },
  key: ['companyId', 'millCertificationId'],
  indexes: [['companyId', 'certificateKey', 'heatKey', 'millCertificationId']],
})

type Content = Omit<RowOf<typeof certificate.columns>, 'registeredAt'>

const contentOf = ({
  data,
  revision,
}: {
  data: MillCertificateRegistered['data']
  revision: number
}): Content => ({
  companyId: data.companyId,
  millCertificationId: data.millCertificationId,
  certificateNumber: data.certificateNumber,
  heatNumber: data.heatNumber,
  certificateKey: normalise(data.certificateNumber),
  heatKey: normalise(data.heatNumber),
  standard: data.standard,
  grade: data.grade,
  inspectionDocument: data.inspectionDocument,
  manufacturer: data.manufacturer,
  productForm: data.productForm,
  thicknessMm: data.thicknessMm,
  chemistry: data.chemistry,
  mechanical: data.mechanical,
  issuedOn: data.issuedOn,
  revision,
})

export const certificates = defineProjection<MillCertificateRegistered | MillCertificateCorrected>()({
  name: 'certificates',
  version: 1,
  tables: { certificate },
  handlers: {
    MillCertificateRegistered: {
      touches: ({ data }) => ({ certificate: [[data.companyId, data.millCertificationId]] }),
      apply: (rows, event) =>
        rows.certificate.put({ ...contentOf(event), registeredAt: event.metadata.occurredAt }),
    },
    MillCertificateCorrected: {
      touches: ({ data }) => ({ certificate: [[data.companyId, data.millCertificationId]] }),
      apply: (rows, event) =>
        rows.certificate.update([event.data.companyId, event.data.millCertificationId], contentOf(event)),
    },
  },
})

const fields = {
  millCertificationId: 'c.mill_certification_id',
  companyId: 'c.company_id',
  certificateNumber: 'c.certificate_number',
  heatNumber: 'c.heat_number',
  standard: 'c.standard',
  grade: 'c.grade',
  inspectionDocument: 'c.inspection_document',
  manufacturer: 'c.manufacturer',
  productForm: 'c.product_form',
  thicknessMm: 'c.thickness_mm',
  chemistry: 'c.chemistry',
  mechanical: 'c.mechanical',
  issuedOn: 'c.issued_on',
  registeredAt: 'c.registered_at',
  tags: 'shown.tags',
  blocked: 'shown.blocked',
}

const from = (reading: Reading): string =>
  `${reading.table(certificates, 'certificate')} c ${shownTags(reading, 'millCert', 'c', 'mill_certification_id')}`

/** All certificates of a company, with their active tags. */
export const listCertificates = (reading: Reading, companyId: string, page?: Page): ListQuery =>
  listQuery(
    {
      select: fields,
      from: from(reading),
      where: 'c.company_id = $1',
      values: [companyId],
      order: ['c.certificate_key', 'c.heat_key', 'c.mill_certification_id'],
    },
    page,
  )

/** One certificate, with its `revision`. */
export const findCertificate = (
  reading: Reading,
  companyId: string,
  millCertificationId: string,
): ListQuery =>
  singleQuery({
    select: { ...fields, revision: 'c.revision' },
    from: from(reading),
    where: 'c.company_id = $1 AND c.mill_certification_id = $2',
    values: [companyId, millCertificationId],
  })

/** Whether there is this certificate: one row, or none. */
export const certificateExists = (
  reading: Reading,
  companyId: string,
  millCertificationId: string,
): ListQuery =>
  singleQuery({
    select: { millCertificationId: 'c.mill_certification_id' },
    from: `${reading.table(certificates, 'certificate')} c`,
    where: 'c.company_id = $1 AND c.mill_certification_id = $2',
    values: [companyId, millCertificationId],
  })

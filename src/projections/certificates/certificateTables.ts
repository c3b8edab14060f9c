import {
  certificateFields,
  certificateNumbers,
  inspectionDocuments,
} from '../../domain/certificates/certificateContent.ts'
import { type CertificateStatus, certificateStatuses } from '../../domain/certificates/certificateStatus.ts'
import { nearKey } from '../../domain/kernel/spellings.ts'
import { bigint, integer, nullable, table, text, textOf, timestamptz, uuid } from '../engine/projection.ts'
import { columnIndexes, onColumn, onColumnRepeatedly } from '../engine/reading/filters.ts'
import { fieldColumns } from '../engine/schema/fieldColumns.ts'
import { numberParameter } from '../engine/spelling.ts'
import { wordIndex } from '../engine/wordFilter.ts'
import { tagIndex } from '../tags/subjectTags.ts'

/** The tables of mill certificates, with the order and the filters of their list. */

export const order = ['certificateKey', 'heatKey', 'millCertificationId'] as const

export const columnFilters = {
  certificateNumber: onColumn('certificateKey', numberParameter, 'The certificate number, in any spelling.'),
  heatNumber: onColumn('heatKey', numberParameter, 'The heat number, in any spelling.'),
  heatLike: onColumn(
    'heatNearKey',
    { ...numberParameter, read: nearKey },
    'A heat number without regard to white space, hyphens, dots and slashes, and with 0 for O, or 1 for I or l.',
  ),
  grade: onColumn('grade', { kind: 'text', most: 50 }, 'The grade as it was sent. A + is written %2B.'),
  profile: onColumn('profile', { kind: 'text', most: 50 }, 'The profile as it was sent.'),
  manufacturer: onColumn('manufacturer', { kind: 'text', most: 200 }, 'The manufacturer as it was sent.'),
  purchaseOrder: onColumn('purchaseOrder', { kind: 'text', most: 100 }, 'The purchase order as it was sent.'),
  inspectionDocument: onColumn(
    'inspectionDocument',
    { kind: 'oneOf', values: inspectionDocuments },
    'The inspection document type of EN 10204.',
  ),
  status: onColumnRepeatedly(
    'status',
    { kind: 'oneOf', values: certificateStatuses },
    'The status. Voided certificates are listed only if they are asked for.',
  ),
}

export const certificate = table({
  columns: {
    companyId: uuid,
    millCertificationId: uuid,
    ...fieldColumns(certificateNumbers),
    /** The numbers in the form that decides order and identity. */
    certificateKey: text,
    heatKey: text,
    /** The heat number as `nearKey` writes it: look-alike numbers have the same text. */
    heatNearKey: text,
    /** In the form in which manufacturers are compared: two of them may use the same heat number. */
    manufacturerKey: nullable(text),
    ...fieldColumns(certificateFields),
    /** The same for the same ladle analysis. */
    ladleAnalysisKey: nullable(text),
    registeredAt: timestamptz,
    /** The last change of the certificate, or of the tags that it has. */
    updatedAt: timestamptz,
    updatedBy: text,
    status: textOf<CertificateStatus>(),
    replacedBy: nullable(uuid),
    revision: bigint,
    tagIds: text,
    words: text,
  },
  key: ['companyId', 'millCertificationId'],
  indexes: [
    ...columnIndexes(order, columnFilters),
    tagIndex,
    wordIndex,
    `(company_id, heat_key) WHERE status = 'Rejected'`,
    `(company_id, heat_key, coalesce(manufacturer_key, ''), ladle_analysis_key)
      WHERE ladle_analysis_key IS NOT NULL AND status <> 'Voided'`,
  ],
  versioned: true,
})

/** A tag that a certificate has, by its heat: for the verdicts on other certificates of the heat. */
const certificateTag = table({
  columns: { companyId: uuid, millCertificationId: uuid, tagId: uuid, heatKey: text },
  key: ['companyId', 'millCertificationId', 'tagId'],
  indexes: [
    ['companyId', 'tagId', 'heatKey'],
    ['companyId', 'heatKey', 'tagId'],
  ],
  versioned: true,
})

/** A steel that a certificate names, by the key under which it is looked for. */
const certificateGrade = table({
  columns: {
    companyId: uuid,
    millCertificationId: uuid,
    /** Within the certificate, from 0. */
    ordinal: integer,
    steelKey: text,
    /** Empty when the certificate states no profile. */
    profileKey: text,
    registeredAt: timestamptz,
  },
  key: ['companyId', 'millCertificationId', 'ordinal'],
  indexes: [['companyId', 'steelKey', 'profileKey', 'registeredAt', 'millCertificationId']],
})

export const tables = { certificate, certificateTag, certificateGrade }

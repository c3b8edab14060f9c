import { plainName } from '../../documents/plainName.ts'
import { typedName } from '../../documents/typedName.ts'
import type { CertificateContent } from '../../domain/certificates/certificateContent.ts'
import type { CertificateStatus } from '../../domain/certificates/certificateStatus.ts'
import { byCodePoint } from '../../domain/kernel/identifiers.ts'
import type { LineItemStatus } from '../../domain/orders/lineItemStatus.ts'
import type { OrderContent } from '../../domain/orders/orderContent.ts'
import type { PackRequest, PackScope } from '../../domain/orders/orderPacks.ts'
import { type AuditedCut, type TraceFacts, traceOrder } from '../../domain/orders/orderTrace.ts'
import type { JudgedBy } from '../../domain/verdict/judgedBy.ts'
import type { Override } from '../../domain/verdict/verdictFacts.ts'
import { findOrder, judgedFrom } from '../../projections/bars/verdicts.ts'
import { certificateList } from '../../projections/certificates/certificates.ts'
import { access } from '../../projections/company/access.ts'
import { findCompany } from '../../projections/company/memberQueries.ts'
import { listPresentNames, persons } from '../../projections/company/persons.ts'
import { type AttachedFile, listAttachedFiles } from '../../projections/documents/documentQueries.ts'
import { documents } from '../../projections/documents/documents.ts'
import { asOf } from '../../projections/engine/reading/asOf.ts'
import { fieldsSql } from '../../projections/engine/reading/listQuery.ts'
import type { Reader, Reading } from '../../projections/engine/reading/reader.ts'
import { toDecide } from '../../projections/engine/reading/toDecide.ts'
import type { ReadModels } from '../../projections/engine/schema/readModels.ts'
import { findTrace } from '../../projections/orders/traceability.ts'
import { type JudgingPack, listJudgingPacks } from '../../projections/rulePacks/rulePackQueries.ts'
import { rulePacks } from '../../projections/rulePacks/rulePacks.ts'

/** Everything that a pack shows, read from one snapshot of the read models. */

export interface PackContent extends PackScope {
  /** The events up to this position of the store are shown. */
  readonly position: number
  readonly companyName: string
  readonly order: PackedOrder
  readonly complete: boolean
  readonly cleared: boolean
  /** The rules of the findings. */
  readonly judgedBy: JudgedBy
  /** The rule packs that judge the certificates. */
  readonly rulePacks: readonly JudgingPack[]
  readonly lines: readonly PackedLine[]
  readonly overrides: readonly PackedOverride[]
  /** By certificate and heat number. */
  readonly certificates: readonly PackedCertificate[]
  /** Each file once, although several certificates may have it. */
  readonly originals: readonly Original[]
}

type PackedOrder = Omit<OrderContent, 'lineItems'> & {
  readonly orderNumber: string
  readonly lineItems: readonly (OrderContent['lineItems'][number] & {
    readonly lineItemId: string
    readonly status: LineItemStatus
  })[]
}

export type PackedLine = PackedOrder['lineItems'][number] & {
  readonly cuts: readonly AuditedCut[]
  readonly missing: readonly string[]
}

interface PackedOverride extends Pick<Override, 'findings' | 'by' | 'at' | 'reason' | 'reference'> {
  readonly barId: string
  /** The name of the person; the userId when the company keeps no name. */
  readonly name: string
}

export type PackedCertificate = CertificateContent & {
  readonly millCertificationId: string
  readonly certificateNumber: string
  readonly heatNumber: string
  readonly item: string | null
  readonly status: CertificateStatus
  readonly documents: readonly AttachedFile[]
}

/** A file that is attached to certificates of the pack. */
export interface Original extends AttachedFile {
  /** Its path in the pack. */
  readonly path: string
}

/** The read models of the facts, which can be read as of a position. */
export const packReads = [...judgedFrom, documents, rulePacks]

/** Return undefined when there is no such order. @throws Refusal 503 `facts-incomplete`; PostgresUnavailable */
export async function readPackContent(
  { reader, readModels }: { readonly reader: Pick<Reader, 'read'>; readonly readModels: ReadModels },
  { asOf: position, ...scope }: PackRequest,
): Promise<PackContent | undefined> {
  const { value } = await toDecide(reader, scope.companyId).read(
    [...packReads, access, persons],
    (present) =>
      position === null
        ? contentAt(present, present, scope, present.position)
        : contentAt(asOf(present, readModels, position), present, scope, position),
  )
  return value
}

/** @param present reads what has no past: the names of the company and of persons, and where the bytes of files are */
async function contentAt(
  reading: Reading,
  present: Reading,
  scope: PackScope,
  position: number,
): Promise<PackContent | undefined> {
  const { companyId, orderId } = scope
  const [trace] = await reading.query<TraceFacts>(findTrace(reading, { companyId, orderId, pieceMark: null }))
  const [order] = await reading.query<PackedOrder>(findOrder(reading, companyId, orderId))
  const [company] = await present.query<{ name: string }>(findCompany(present, companyId))
  if (!trace || !order || !company) return undefined
  const { complete, cleared, judgedBy, lineItems, overrides } = traceOrder(trace)
  const lines = packedLines(order, lineItems, scope.cutIds)
  const cuts = lines.flatMap((line) => line.cuts)
  const certificateIds = withoutRepeats(cuts.flatMap(({ millCertificationId }) => millCertificationId ?? []))
  const certificates = await readCertificates(reading, present, companyId, certificateIds)
  const barIds = new Set(cuts.map(({ barId }) => barId))
  return {
    ...scope,
    position,
    companyName: company.name,
    order,
    complete,
    cleared,
    judgedBy,
    rulePacks: await reading.query<JudgingPack>(listJudgingPacks(reading, companyId)),
    lines,
    certificates,
    overrides: await withNames(
      present,
      companyId,
      overrides.filter(({ barId }) => barIds.has(barId)),
    ),
    originals: originalsOf(certificates),
  }
}

type AuditedLine = ReturnType<typeof traceOrder>['lineItems'][number]

function packedLines(
  { lineItems }: PackedOrder,
  audited: readonly AuditedLine[],
  cutIds: PackScope['cutIds'],
): PackedLine[] {
  const auditedOf = new Map(audited.map((line) => [line.lineItemId, line]))
  const wanted = cutIds && new Set(cutIds)
  return lineItems.flatMap((line) => {
    const { cuts = [], missing = [] } = auditedOf.get(line.lineItemId) ?? {}
    const packed = wanted ? cuts.filter(({ cutId }) => wanted.has(cutId)) : cuts
    return wanted && packed.length === 0
      ? []
      : [{ ...line, cuts: packed, missing: missing.map(({ message }) => message) }]
  })
}

async function readCertificates(
  reading: Reading,
  present: Reading,
  companyId: string,
  ids: readonly string[],
): Promise<readonly PackedCertificate[]> {
  const rows = await reading.query<Omit<PackedCertificate, 'documents'>>({
    text: `SELECT ${fieldsSql(certificateList.select)}
      FROM ${certificateList.table(reading)} c ${certificateList.details(reading)}
      WHERE c.company_id = $1 AND c.mill_certification_id = ANY($2::uuid[])`,
    values: [companyId, ids],
  })
  const files = await reading.query<AttachedFile>(listAttachedFiles(reading, present, companyId, ids))
  const filesOf = Map.groupBy(files, ({ millCertificationId }) => millCertificationId)
  return rows
    .map((row) => ({ ...row, documents: filesOf.get(row.millCertificationId) ?? [] }))
    .sort(
      (one, other) =>
        byCodePoint(one.certificateNumber, other.certificateNumber) ||
        byCodePoint(one.heatNumber, other.heatNumber) ||
        byCodePoint(one.millCertificationId, other.millCertificationId),
    )
}

function originalsOf(certificates: readonly PackedCertificate[]): readonly Original[] {
  const files = certificates.flatMap(({ documents }) => documents.filter(({ isKept }) => isKept))
  const each = [...new Map(files.map((file) => [file.documentId, file])).values()]
  return each.map((file, index) => ({
    ...file,
    path: `certificates/${String(index + 1).padStart(3, '0')}-${typedName(plainName(file.fileName), file.mediaType)}`,
  }))
}

async function withNames(
  reading: Reading,
  companyId: string,
  overrides: readonly Omit<PackedOverride, 'name'>[],
): Promise<readonly PackedOverride[]> {
  const rows = await reading.query<{ userId: string; name: string | null }>(
    listPresentNames(reading, companyId, withoutRepeats(overrides.map(({ by }) => by))),
  )
  const nameOf = new Map(rows.map(({ userId, name }) => [userId, name]))
  return overrides.map((override) => ({ ...override, name: nameOf.get(override.by) ?? override.by }))
}

function withoutRepeats(ids: readonly string[]): readonly string[] {
  return [...new Set(ids)]
}

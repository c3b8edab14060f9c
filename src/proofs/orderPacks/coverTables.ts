import { type JudgedBy, judgedByText } from '../../domain/verdict/judgedBy.ts'
import { verdictWords, wordOf } from '../../domain/verdict/verdictWord.ts'
import type { Pdf } from '../../lib/pdf/page.ts'
import { writingTable } from '../../lib/pdf/table.ts'
import { cutOf, timeOf, writeHeading, writeNote } from './coverText.ts'
import type { PackContent, PackedCertificate, PackedLine } from './facts.ts'
import { type CountedFinding, findingsOn, missingFrom } from './summary.ts'

/** The tables of the cover sheet: a table without rows is left out. */

export function* writeTables(pdf: Pdf, content: PackContent): Generator<void, void> {
  yield* writeMissing(pdf, missingFrom(content))
  yield* writeLines(pdf, content.lines)
  yield* writeCertificates(pdf, content)
  yield* writePieces(pdf, content.lines)
  yield* writeFindings(pdf, findingsOn(content), content.judgedBy)
  yield* writeRulePacks(pdf, content)
  yield* writeOverrides(pdf, content)
}

function* writeMissing(pdf: Pdf, missing: readonly string[]): Generator<void, void> {
  if (missing.length === 0) return
  writeHeading(pdf, `What is missing (${missing.length})`)
  yield* writingTable(
    pdf,
    [{ heading: 'Before the order can be handed over with all its papers', share: 1, text: withShortIds }],
    missing,
  )
}

function* writeLines(pdf: Pdf, lines: readonly PackedLine[]): Generator<void, void> {
  writeHeading(pdf, 'Lines of the order')
  yield* writingTable(
    pdf,
    [
      { heading: 'Line', share: 0.7, font: 'bold', text: ({ lineNumber }) => String(lineNumber) },
      { heading: 'Description', share: 3.6, text: ({ description }) => description ?? '' },
      {
        heading: 'Steel',
        share: 2,
        text: ({ standard, grade }) => [standard, grade].filter(Boolean).join(' ') || 'not stated',
      },
      { heading: 'Profile', share: 1.2, text: ({ profile }) => profile ?? '' },
      { heading: 'mm', share: 1.1, align: 'right', text: ({ lengthMm }) => String(lengthMm) },
      {
        heading: 'Cut',
        share: 1.1,
        align: 'right',
        text: (line) => cutOf([line]),
      },
      {
        heading: 'Status',
        share: 1.3,
        text: ({ cancelled, status }) => (cancelled ? 'Cancelled' : status),
      },
    ],
    lines,
  )
}

function* writeCertificates(pdf: Pdf, { certificates, originals }: PackContent): Generator<void, void> {
  if (certificates.length === 0) return
  writeHeading(pdf, 'Mill certificates')
  const numberOf = new Map(originals.map(({ documentId, path }) => [documentId, path.slice(13, 16)]))
  const enclosedNames = ({ documents }: PackedCertificate) =>
    documents.flatMap(({ documentId }) => numberOf.get(documentId) ?? []).join(', ') || 'missing'
  yield* writingTable(
    pdf,
    [
      { heading: 'Certificate', share: 2, font: 'bold', text: ({ certificateNumber }) => certificateNumber },
      { heading: 'Heat', share: 1.3, font: 'bold', text: ({ heatNumber }) => heatNumber },
      {
        heading: 'Steel',
        share: 2.2,
        text: ({ standard, grade }) => [standard, grade].filter(Boolean).join(' '),
      },
      { heading: 'Type', share: 0.6, text: ({ inspectionDocument }) => inspectionDocument },
      { heading: 'Manufacturer', share: 2.2, text: ({ manufacturer }) => manufacturer ?? '' },
      { heading: 'Status', share: 1, text: ({ status }) => status },
      { heading: 'Original', share: 0.9, align: 'right', text: enclosedNames },
    ],
    certificates,
  )
  writeNote(pdf, 'The number under "Original" is the beginning of the file name in the folder certificates.')
}

function* writePieces(pdf: Pdf, lines: readonly PackedLine[]): Generator<void, void> {
  const pieces = lines.flatMap(({ lineNumber, cuts }) => cuts.map((cut) => ({ lineNumber, ...cut })))
  if (pieces.length === 0) return
  writeHeading(pdf, 'Pieces and their heats')
  yield* writingTable(
    pdf,
    [
      { heading: 'Line', share: 0.8, text: ({ lineNumber }) => String(lineNumber) },
      { heading: 'Bar', share: 1.8, text: barName },
      { heading: 'Piece', share: 1.2, text: pieceName },
      { heading: 'mm', share: 0.9, align: 'right', text: ({ lengthMm }) => String(lengthMm) },
      { heading: 'State', share: 1.5, text: ({ barStatus }) => barStatus },
      { heading: 'Heat', share: 1.2, font: 'bold', text: ({ heatNumber }) => heatNumber ?? 'missing' },
      { heading: 'Certificate', share: 1.6, text: ({ certificateNumber }) => certificateNumber ?? 'missing' },
      { heading: 'Mark', share: 1.6, text: ({ markTransferred }) => (markTransferred ? 'transferred' : '–') },
      { heading: 'Verdict', share: 1.7, text: verdictOf },
    ],
    pieces,
  )
}

type PackedCut = PackedLine['cuts'][number]

/** "Week 17 · 3", as the portal names a bar. */
function barName({ planName, barOrdinal }: Pick<PackedCut, 'planName' | 'barOrdinal'>): string {
  return `${planName} · ${barOrdinal}`
}

function pieceName({ pieceMark, cutOrdinal }: PackedCut): string {
  return [pieceMark, `piece ${cutOrdinal}`].filter(Boolean).join(', ')
}

function verdictOf({ findings, millCertificationId, barStatus }: PackedCut): string {
  const hasCertificate = millCertificationId !== null
  return verdictWords[wordOf({ findings, hasCertificate, isStarted: barStatus === 'Started' })]
}

function* writeFindings(
  pdf: Pdf,
  findings: readonly CountedFinding[],
  judgedBy: JudgedBy,
): Generator<void, void> {
  if (findings.length === 0) return
  writeHeading(pdf, 'Findings of the verdict')
  yield* writingTable(
    pdf,
    [
      { heading: 'Severity', share: 0.9, font: 'bold', text: ({ severity }) => severity },
      { heading: 'Finding', share: 6, text: ({ message }) => message },
      { heading: 'Pieces', share: 0.8, align: 'right', text: ({ pieces }) => String(pieces) },
      { heading: 'Override', share: 1, text: ({ override }) => (override ? 'yes' : '') },
    ],
    findings,
  )
  writeNote(
    pdf,
    `Judged from the facts above by ${judgedByText(judgedBy)}. data/history.ndjson has the findings that were recorded with each approval.`,
  )
}

function* writeRulePacks(pdf: Pdf, { rulePacks }: PackContent): Generator<void, void> {
  if (rulePacks.length === 0) return
  writeHeading(pdf, 'Rule packs that judge the certificates')
  yield* writingTable(
    pdf,
    [
      {
        heading: 'Rule pack',
        share: 3,
        font: 'bold',
        text: ({ name, version }) => `${name}, version ${version}`,
      },
      {
        heading: 'Compared with',
        share: 2,
        text: ({ validation }) =>
          validation ? `${validation.edition} (version ${validation.version})` : 'nobody has compared it',
      },
      { heading: 'By', share: 1.6, text: ({ validation }) => validation?.by ?? '' },
      { heading: 'On', share: 1, text: ({ validation }) => validation?.date ?? '' },
      { heading: 'Note', share: 2, text: ({ validation }) => validation?.note ?? '' },
    ],
    rulePacks,
  )
}

function* writeOverrides(pdf: Pdf, { overrides, lines }: PackContent): Generator<void, void> {
  if (overrides.length === 0) return
  const nameOf = new Map(lines.flatMap(({ cuts }) => cuts.map((cut) => [cut.barId, barName(cut)])))
  writeHeading(pdf, 'Overrides')
  yield* writingTable(
    pdf,
    [
      { heading: 'Bar', share: 1.6, text: ({ barId }) => nameOf.get(barId) ?? shortId(barId) },
      { heading: 'By', share: 1.8, font: 'bold', text: ({ name }) => name },
      { heading: 'At', share: 1.8, text: ({ at }) => timeOf(new Date(at)) },
      { heading: 'Reason', share: 4, text: ({ reason }) => reason },
      { heading: 'Reference', share: 1.4, text: ({ reference }) => reference ?? '' },
    ],
    overrides,
  )
}

/** The beginning of an id tells the pieces of an order apart. The data has the whole id. */
function shortId(id: string): string {
  return id.slice(0, 8)
}

function withShortIds(text: string): string {
  return text.replace(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, shortId)
}

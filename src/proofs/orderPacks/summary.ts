import type { Finding } from '../../domain/verdict/verdict.ts'
import type { PackContent, PackedCertificate } from './facts.ts'

/** This says in plain words what a pack lacks, and what speaks against its order. */

/** Return the gaps of the order, and the certificates without an original. */
export function missingFrom({ lines, certificates }: Pick<PackContent, 'lines' | 'certificates'>): string[] {
  return [
    ...lines.flatMap(({ lineNumber, missing }) => missing.map((gap) => `Line ${lineNumber}: ${gap}`)),
    ...certificates.flatMap(({ certificateNumber, heatNumber, documents }) =>
      documents
        .filter(({ isKept }) => !isKept)
        .map(
          ({ fileName }) =>
            `Certificate ${certificateNumber} of heat ${heatNumber}: the original “${fileName}” has been deleted since.`,
        ),
    ),
    ...certificates.filter(hasNoOriginal).map(({ certificateNumber, heatNumber }) => {
      return `Certificate ${certificateNumber} of heat ${heatNumber} has no original.`
    }),
  ]
}

export function hasNoOriginal({ documents }: Pick<PackedCertificate, 'documents'>): boolean {
  return documents.length === 0
}

/** A finding on some pieces of the pack. */
export interface CountedFinding extends Finding {
  readonly pieces: number
}

/** Return every finding once, those of the highest severity first. A finding without an override stands for all. */
export function findingsOn({ lines }: Pick<PackContent, 'lines'>): readonly CountedFinding[] {
  const findings = lines.flatMap(({ cuts }) => cuts.flatMap((cut) => cut.findings))
  const distinct = [...Map.groupBy(findings, ({ key }) => key).values()].map((same) => ({
    ...(same.find(({ override }) => !override) ?? same[0]!),
    pieces: same.length,
  }))
  return (['Block', 'Flag', 'Audit'] as const).flatMap((severity) =>
    distinct.filter((finding) => finding.severity === severity),
  )
}

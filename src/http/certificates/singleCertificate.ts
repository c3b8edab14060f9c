import { z } from 'zod'
import type { CertificateRecord } from '../../commands/certificates/certificates.ts'
import type { AttachedDocument } from '../../domain/documents/certificateDocuments.ts'
import { documentTypes } from '../../domain/documents/document.ts'
import { defaultReleasePolicy } from '../../domain/verdict/releasePolicy.ts'
import type { Stock } from '../../domain/verdict/stock.ts'
import { judgeCertificate } from '../../domain/verdict/verdict.ts'
import { aloneInHeat } from '../../domain/verdict/verdictFacts.ts'
import {
  certificateJudgedFrom,
  type FoundCertificate,
  findCertificate,
} from '../../projections/bars/verdicts.ts'
import type { Reader } from '../../projections/engine/reading/reader.ts'
import { hiddenFindings } from '../../projections/engine/reading/toDecide.ts'
import { oneOf, timestamp, uuid } from '../kit/schemas/fields.ts'
import { certificate } from './certificateSchema.ts'
import { ownFindings } from './finding.ts'

/** A single mill certificate is answered with its findings, by GET and by every command on it. */

const notJudged = z
  .array(
    z.object({
      rulePackId: z.string(),
      rules: z.array(z.string()),
      missing: z.array(z.string()).meta({
        description: 'The missing fields, such as `certificate.thicknessMm`. A pack of version 1 names none.',
      }),
    }),
  )
  .meta({ description: 'The rules that could not judge the certificate, because values are missing.' })

const documents = z
  .array(
    z.object({
      documentId: uuid,
      sha256: z.string(),
      bytes: z.int(),
      mediaType: oneOf(documentTypes),
      fileName: z.string(),
      attachedAt: timestamp,
      attachedBy: z.string().meta({ description: 'The userId of the caller who has attached it.' }),
    } satisfies Record<keyof AttachedDocument, z.ZodType>),
  )
  .meta({ description: 'The documents that are attached, oldest first, such as the original.' })

const amount = z
  .object({
    pieces: z.int(),
    metres: z.number().nullable().meta({ description: 'null when a length is not known.' }),
  })
  .meta({ id: 'Amount' })

const stock = z
  .object({
    delivered: amount,
    planned: amount.meta({ description: 'Bars of new stock that are not Completed.' }),
    cut: amount.meta({ description: 'Completed bars of new stock.' }),
    scrapped: amount.meta({ description: 'Pieces that were cut wrong, a part of `cut`.' }),
    remaining: amount,
  } satisfies Record<keyof Stock, z.ZodType>)
  .meta({ id: 'Stock' })

export const singleCertificate = certificate
  .extend({
    documents,
    notJudged,
    findings: ownFindings,
    stock: stock.nullable().meta({ description: 'null while no delivery of its steel is recorded.' }),
  })
  .meta({ id: 'CertificateWithFindings' })

/** Answer a row of `findCertificate`. */
export function presentFound({ sameHeat, policy, ...shown }: FoundCertificate): object {
  const facts = { sameHeat, policy: policy ?? defaultReleasePolicy }
  return { ...shown, findings: judgeCertificate(shown, facts) }
}

/** Answer a certificate as a command decided it. Without a reader, only its own values are judged. */
export async function presentDecided(decided: CertificateRecord, reader?: Reader): Promise<object> {
  const { companyId, millCertificationId } = decided
  const read = await reader?.read(certificateJudgedFrom, async (snapshot) => {
    const query = findCertificate(snapshot, companyId, millCertificationId)
    const [certificate] = await snapshot.query<FoundCertificate>(query)
    return { certificate, hidden: await hiddenFindings(snapshot, companyId) }
  })
  const { certificate, hidden } = read?.value ?? {}
  const { notJudged = [], stock = null, sameHeat = aloneInHeat, policy = null } = certificate ?? {}
  return { ...presentFound({ ...decided, notJudged, stock, sameHeat, policy }), ...hidden }
}

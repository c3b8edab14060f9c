import { z } from 'zod'
import { type CompanyRun, runKinds, runStatuses } from '../../processes/runs/companyRuns.ts'
import type { CompanyExport } from '../../proofs/companyExports/rows.ts'
import { oneOf, timestamp, uuid } from '../kit/schemas/fields.ts'

const ofOrderPack = z.object({
  orderId: uuid,
  packId: uuid,
  documentId: uuid,
  sha256: z.string(),
  bytes: z.int(),
  cleared: z.boolean(),
})

const ofCompanyExport = z.object({
  exportId: uuid,
  sha256: z.string().meta({ description: 'The SHA-256 of the ZIP file, in lower-case hexadecimal.' }),
  bytes: z.int(),
  fileName: z.string(),
  events: z.int().meta({ description: 'The number of events that its checkpoint covers.' }),
  position: z.int().meta({ description: 'The position of the last of them.' }),
} satisfies Record<keyof CompanyExport, z.ZodType>)

/** A run of a company, as it is answered. */
export const companyRun = z
  .object({
    runId: uuid,
    kind: oneOf(runKinds),
    orderId: uuid
      .nullable()
      .meta({ description: 'The order whose pack the run makes; null for other kinds of runs.' }),
    status: oneOf(runStatuses),
    progress: z.number().meta({ description: 'From 0 to 1.' }),
    result: z
      .union([ofOrderPack, ofCompanyExport])
      .nullable()
      .meta({ description: 'The outcome of the run; null until it has succeeded.' }),
    error: z
      .object({ code: z.string(), detail: z.string() })
      .nullable()
      .meta({ description: 'Why the run has failed, by a code of the list of problems; null otherwise.' }),
    availableUntil: timestamp.nullable().meta({
      description:
        'Until when the export that the run has written can be downloaded; null while there is none, once a newer one has replaced it, and for other kinds of runs.',
    }),
    startedBy: z.string().meta({ description: 'The userId of the caller who has begun it.' }),
    createdAt: timestamp,
    updatedAt: timestamp,
  } satisfies Record<keyof CompanyRun, z.ZodType>)
  .meta({ id: 'CompanyRun' })

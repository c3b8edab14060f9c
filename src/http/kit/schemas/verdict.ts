import { z } from 'zod'
import { finding } from './finding.ts'

/** The answered verdict on a bar. */
export const verdict = z
  .object({
    mayBeApproved: z.boolean().meta({
      description: 'Whether no Block stands in the way but a missing certificate.',
    }),
    mayBeCut: z.boolean().meta({ description: 'Whether no Block is left that is not overridden.' }),
    findings: z
      .array(finding)
      .meta({ description: 'By severity, then by code. docs/verdict.md explains every code.' }),
  })
  .meta({ id: 'Verdict' })

import { z } from 'zod'
import { finding } from '../../problems/finding.ts'
import { timestamp } from '../kit/schemas/fields.ts'

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

/** The rules that a verdict was judged by. */
export const judgedBy = z
  .object({
    verdict: z.int().meta({ description: 'The version of the judgement.' }),
    steelGrades: z.int().meta({ description: 'The version of the reader of steel names.' }),
  })
  .meta({
    id: 'JudgedBy',
    description:
      'The rules that judged. The same facts under the same versions always give the same findings. docs/verdict.md lists the versions.',
  })

/** The answered verdict on one bar. */
export const barVerdict = verdict
  .extend({
    judgedBy: judgedBy.meta({ description: 'The rules of this release.' }),
    keptAtApproval: z
      .object({
        at: timestamp,
        judgedBy,
        findings: z.array(finding),
      })
      .nullable()
      .meta({
        description:
          'The findings that were recorded with the approval, or later with another certificate, with a cut that was accepted, or with a revert to Approved; null for a Draft or Cancelled bar, and when nothing was judged then.',
      }),
  })
  .meta({ id: 'BarVerdict' })

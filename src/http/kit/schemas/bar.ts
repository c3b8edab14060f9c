import { z } from 'zod'
import { cutStatuses, plannedCutStatuses } from '../../../domain/barContent.ts'
import { barStatuses } from '../../../domain/productionPlanBar.ts'
import { finding } from '../../../problems/finding.ts'
import { oneOf, timestamp, uuid } from './fields.ts'
import { overrideRecord } from './override.ts'

/** The answered bar and its cuts. */

export const barStatus = oneOf(barStatuses)
export const cutStatus = oneOf(cutStatuses)
/** The status that a request gives a cut. */
export const plannedCutStatus = oneOf(plannedCutStatuses)

export const cutRecord = z
  .object({
    cutId: uuid,
    orderId: uuid,
    lineItemId: uuid,
    lengthMm: z.number(),
    pieceMark: z.string().nullable(),
    status: cutStatus,
  })
  .meta({ id: 'Cut', description: 'One piece to be cut from a bar.' })

export const heatRead = z
  .object({
    heatNumber: z.string(),
    by: z.string().meta({ description: 'The userId of the person who has read it.' }),
    at: timestamp,
  })
  .meta({ description: 'The heat number as it was read off the steel; null while nobody has read it.' })

export const barRecord = z
  .object({
    barId: uuid,
    planId: uuid,
    companyId: uuid,
    status: barStatus,
    stockLengthMm: z.number(),
    grade: z.string(),
    millCertificationId: uuid.nullable(),
    fromBarId: uuid.nullable().meta({
      description: 'The Completed bar whose remnant is its stock; null for new stock.',
    }),
    cuts: z.array(cutRecord),
    remnantMm: z.number().meta({ description: 'The stock length minus all cuts that are not Rejected.' }),
    ordinal: z.int().min(1).meta({ description: 'Its place in the plan, from 1.' }),
    createdAt: timestamp,
    approvedAt: timestamp.nullable(),
    startedAt: timestamp.nullable(),
    completedAt: timestamp.nullable(),
    approval: z
      .object({
        by: z.string().meta({ description: 'The userId of the person who has approved it.' }),
        at: timestamp,
        override: overrideRecord.nullable().meta({
          description:
            'The decision to approve in spite of Block findings; null again when the bar gets another certificate.',
        }),
      })
      .nullable()
      .meta({ description: 'null while the bar is not approved.' }),
    withdrawal: z
      .object({ at: timestamp, findings: z.array(finding) })
      .nullable()
      .meta({
        description: 'Why the bar has lost its approval; null when it has not, or is approved again.',
      }),
    heatRead: heatRead.nullable(),
  })
  .meta({ id: 'ProductionPlanBar' })

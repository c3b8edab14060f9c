import { z } from 'zod'
import { barStatuses, cutStatuses } from '../../../domain/productionPlanBar.ts'
import { oneOf, timestamp, uuid } from './fields.ts'

/** The answered bar and its cuts. */

export const barStatus = oneOf(barStatuses)
export const cutStatus = oneOf(cutStatuses)

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

export const barRecord = z
  .object({
    barId: uuid,
    planId: uuid,
    companyId: uuid,
    status: barStatus,
    stockLengthMm: z.number(),
    grade: z.string(),
    millCertificationId: uuid.nullable(),
    cuts: z.array(cutRecord),
    remnantMm: z.number().meta({ description: 'The stock length minus the Accepted and Proposed cuts.' }),
    ordinal: z.int().min(1).meta({ description: 'Its place in the plan, from 1.' }),
    createdAt: timestamp,
    approvedAt: timestamp.nullable(),
    startedAt: timestamp.nullable(),
    completedAt: timestamp.nullable(),
  })
  .meta({ id: 'ProductionPlanBar' })

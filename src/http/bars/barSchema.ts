import { z } from 'zod'
import { cutStatuses, plannedCutStatuses } from '../../domain/bars/barContent.ts'
import { barStatuses } from '../../domain/bars/barEvents.ts'
import { heatFields } from '../../domain/bars/heatRead.ts'
import { finding } from '../../problems/finding.ts'
import { answerOf } from '../kit/schemas/declared.ts'
import { oneOf, revision, timestamp, uuid } from '../kit/schemas/fields.ts'
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
    revision,
    held: z.boolean().meta({
      description: 'Whether it was cut in spite of a Block that nobody has overridden since.',
    }),
  })
  .meta({
    id: 'Cut',
    description: 'One piece to be cut from a bar.',
  })

/** A certificate that a person chooses by the steel it is of. */
export const certificateOfHeat = z.object({
  millCertificationId: uuid,
  certificateNumber: z.string(),
  heatNumber: z.string(),
  ...answerOf(heatFields),
})

const offered = z.array(certificateOfHeat).meta({
  description:
    'Only for a single bar: the live certificates of this heat that suit the profile of the bar, unless the bar has one of them. If no certificate has the number as it was read, those that `heatLike` finds. A person links one by setting it.',
})

const heatRead = z
  .object({
    heatNumber: z.string(),
    marked: z.boolean().meta({
      description:
        'Whether the number stands on this steel; false for a remnant to which it was not transferred.',
    }),
    by: z.string().meta({ description: 'The userId of the person who has read it.' }),
    at: timestamp,
    offered: offered.optional(),
  })
  .meta({ description: 'The heat number as it was read off the steel; null while nobody has read it.' })

export const markTransferred = z.boolean().meta({
  description: 'Whether the pieces and the remnant have got the mark of the heat.',
})

const stop = z
  .object({ by: z.string(), at: timestamp, reason: z.string().nullable(), findings: z.array(finding) })
  .meta({
    description:
      'The completion in spite of Block findings; null when there were none, or all are overridden. The pieces are held until then.',
  })

export const barRecord = z
  .object({
    barId: uuid,
    planId: uuid,
    companyId: uuid,
    status: barStatus,
    stockLengthMm: z.number(),
    grade: z.string(),
    profile: z.string().nullable(),
    millCertificationId: uuid.nullable(),
    fromBarId: uuid.nullable().meta({
      description: 'The Completed bar whose remnant is its stock; null for new stock.',
    }),
    cuts: z.array(cutRecord),
    remnantMm: z.number().meta({ description: 'The stock length minus all cuts that are not Rejected.' }),
    ordinal: z.int().min(1).meta({ description: 'Its place in the plan, from 1.' }),
    createdAt: timestamp,
    updatedAt: timestamp.meta({ description: 'The last change of the bar or of its cuts.' }),
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
    markTransferred,
    stop: stop.nullable(),
    revision,
  })
  .meta({ id: 'ProductionPlanBar' })

import { z } from 'zod'
import { plannedCutStatus } from '../../bars/barSchema.ts'
import { id } from '../../kit/routing/route.ts'
import { listOf } from '../../kit/schemas/collections.ts'
import { millimetres, name, number, orNull, text } from '../../kit/schemas/fields.ts'

/** Production plans as they arrive: alone or in an imported file. */

const cut = z
  .strictObject({
    cutId: id.optional(),
    orderId: id,
    lineItemId: id,
    lengthMm: millimetres(50_000),
    pieceMark: orNull(number).meta({ description: 'The name of the piece in the drawing.' }),
    status: plannedCutStatus,
  })
  .meta({ id: 'NewCut' })

export const newBar = z
  .strictObject({
    barId: id.optional(),
    stockLengthMm: millimetres(50_000),
    grade: text(1, 50),
    profile: orNull(text(1, 50)).meta({
      description: 'The section of the stock, for example HEA 200. Lines and certificate must have it, too.',
    }),
    millCertificationId: orNull(id),
    fromBarId: orNull(id).meta({
      description:
        'A Completed bar whose remnant is the stock of this one. Leave `millCertificationId` and `profile` out: the bar has the same certificate and profile, and the heat that was read off it. A remnant is used once.',
    }),
    cuts: listOf(cut, { most: 200 }),
  })
  .meta({ id: 'NewBar' })

export const mostBars = 500
export const tooManyBars = `must have at most ${mostBars} members`

export const newPlan = z
  .strictObject({ planId: id.optional(), name, bars: listOf(newBar, { most: mostBars }).default([]) })
  .meta({
    id: 'NewProductionPlan',
    examples: [
      {
        name: 'Saw 1, Tuesday',
        bars: [
          {
            stockLengthMm: 6000,
            grade: 'S355J0+N',
            millCertificationId: 'c2c4430f-fc74-52d6-a62c-5188c5ee6233',
            cuts: [
              {
                orderId: 'be07213c-7638-5fa1-a625-701a611ec3c7',
                lineItemId: 'a162ac57-59ad-539b-889e-13ac25830b66',
                lengthMm: 2900,
                status: 'Accepted',
              },
            ],
          },
        ],
      },
    ],
  })

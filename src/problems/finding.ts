import { z } from 'zod'

export const brokenLimit = z
  .object({
    name: z.string().meta({ description: "The value by the rule's word for it." }),
    value: z.number(),
    limit: z.number(),
    isTooSmall: z.boolean(),
  })
  .meta({ id: 'BrokenLimit' })

const sentence = z
  .object({ text: z.string(), values: z.record(z.string(), z.unknown()).optional() })
  .meta({ description: 'The name of the text of the message, and the values in it.' })

/** A sentence as answers and problems show it. */
export const told = z.object({ message: z.string(), sentence }).meta({ id: 'Told' })

/** A reason why a bar may not be cut, or should be looked at first, as answers and problems show it. */
export const finding = z
  .object({
    key: z.string().meta({
      description: 'The same as long as the reason is the same. An override names it.',
    }),
    code: z.string().meta({ description: 'The kind of reason. More kinds may be added.' }),
    severity: z.enum(['Block', 'Flag', 'Audit']),
    message: z.string(),
    sentence,
    millCertificationId: z.guid().optional(),
    orderId: z.guid().optional(),
    lineItemId: z.guid().optional(),
    cutId: z.guid().optional(),
    tagId: z.guid().optional(),
    rule: z
      .object({ clause: z.string(), limits: z.array(brokenLimit) })
      .optional()
      .meta({
        description:
          'Only for a listed bar: the first rule that has assigned the tag, and the limits that are broken.',
      }),
    expected: z.string().optional(),
    actual: z.string().optional(),
    override: z
      .object({
        findings: z.array(z.string()).meta({ description: 'The keys of the findings that it covers.' }),
        reason: z.string(),
        reference: z.string().nullable(),
        by: z.string().meta({ description: 'The userId of the person who has decided it.' }),
        at: z.string().meta({ format: 'date-time' }),
      })
      .optional()
      .meta({ description: 'The decision to go on in spite of a Block.' }),
  })
  .meta({
    id: 'Finding',
    examples: [
      {
        key: 'ef689607-216a-51bc-b07e-febfede2c6d7',
        code: 'certificate-tag',
        severity: 'Block',
        message: 'The certificate has the tag "Impact energy too low".',
        sentence: { text: 'certificate-tag', values: { tag: 'Impact energy too low' } },
        millCertificationId: 'c2c4430f-fc74-52d6-a62c-5188c5ee6233',
        tagId: '08d53a04-f2dd-4855-b5e2-2166e328b5d2',
        actual: 'Block',
      },
    ],
  })

export const findings = z.array(finding).meta({ description: 'The findings of the verdict on the bar.' })

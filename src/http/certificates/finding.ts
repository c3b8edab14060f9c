import { z } from 'zod'
import { finding } from '../../problems/finding.ts'
import { withFault } from '../kit/schemas/fields.ts'

/** The findings of a single certificate or order. */
export const ownFindings = z.array(finding).nullable().meta({
  description:
    'The findings of the record by itself, as of now. A bar may have more, and other severities by the execution class of its orders. Null while an event is missing.',
})

/** The findings of a listed certificate or order. */
export const listedFindings = ownFindings
  .optional()
  .meta({ description: 'The same findings as in the single record. Present only with `include=findings`.' })

/** The keys of findings that an override covers, each of them once. */
export const findingKeys = z
  .array(
    z.string().refine(isKey, withFault('out-of-bounds', 'must be a key, which has at most 100 characters')),
  )
  .max(1_000, 'must have at most 1,000 members')
  .superRefine(refuseRepeated)

function isKey(sent: string): boolean {
  return sent.length <= 100
}

function refuseRepeated(keys: readonly string[], context: z.RefinementCtx): void {
  const earlier = new Set<string>()
  for (const [index, key] of keys.entries()) {
    if (earlier.has(key))
      context.addIssue({
        code: 'custom',
        path: [index],
        input: key,
        params: { fault: 'not-unique' },
        message: 'must be unique',
      })
    earlier.add(key)
  }
}

import { z } from 'zod'
import { finding as inProblems } from '../../../problems/finding.ts'

/** A finding in an answer. Problems have the same, without a name of its own in the OpenAPI document. */
export const finding = inProblems.meta({ id: 'Finding' })

/** The findings of a single certificate or order. */
export const ownFindings = z.array(finding).meta({
  description:
    'The reasons that it has by itself, as of now, why a bar may not be cut or should be looked at first. A bar may have more, and other severities, by the execution class of its orders.',
})

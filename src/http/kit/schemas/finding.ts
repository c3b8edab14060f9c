import { z } from 'zod'
import { finding as inProblems } from '../../../problems/finding.ts'

/** A finding in an answer. Problems have the same, without a name of its own in the OpenAPI document. */
export const finding = inProblems.meta({ id: 'Finding' })

/** The findings of a single certificate or order. */
export const ownFindings = z.array(finding).meta({
  description:
    'The findings of the record by itself, as of now. A bar may have more findings, and other severities because of the execution class of its orders.',
})

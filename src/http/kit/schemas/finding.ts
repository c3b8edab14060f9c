import { finding as inProblems } from '../../../problems/finding.ts'

/** A finding in an answer. Problems have the same, without a name of its own in the OpenAPI document. */
export const finding = inProblems.meta({ id: 'Finding' })

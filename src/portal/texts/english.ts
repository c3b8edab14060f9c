import type { ProblemDocument } from '../api/problem.ts'

/** The file that the pages load for English. The service itself says problems in English. */

export { en as texts } from './en.ts'
export const problemTitle = ({ title }: Pick<ProblemDocument, 'title'>): string => title
export const problemText = ({ detail = '' }: Partial<Pick<ProblemDocument, 'detail'>>): string => detail

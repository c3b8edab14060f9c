import { sentenceIn } from '../../../domain/verdict/sentence.ts'
import type { ListedMember } from '../../api/generated.ts'
import { useTexts } from '../../texts/texts.ts'

export type Role = ListedMember['roles'][number]

/** The roles of a member, in the order in which forms offer them. */
export const roles: readonly Role[] = ['Viewer', 'Editor', 'Planner', 'Cutter', 'Quality', 'Auditor', 'Admin']

/** Return a function that lists roles in words. */
export function useRoleNames(): (...named: readonly Role[]) => string {
  const { language } = useTexts()
  return (...named) => named.map((role) => sentenceIn(language, { text: role })).join(', ')
}

import { countText } from '../../lib/countText.ts'
import type { AuditedTypes, StateBefore } from '../audit/audited.ts'
import type { Change } from '../kernel/changes.ts'
import { addedBy, notEvaluatedIds, type RuleAssignmentsReplaced } from '../rulePacks/ruleAssignments.ts'
import type { SubjectRef } from './assignments.ts'
import type { AssignmentEvent } from './subject.ts'

/** The events that put tags on certificates and orders, and take them off. */

export const assignmentEvents: AuditedTypes<AssignmentEvent> = {
  ManualAssignmentsReplaced: {
    bound: ({ added, removed }) => (added.length > 0 && removed.length === 0 ? 'none' : 'day'),
    about,
    tell: ({ added, removed }, before) => `By hand, ${tagsMoved({ added, removed }, before)}.`,
    listChanges: tagChanges,
  },
  RuleAssignmentsReplaced: {
    bound: 'day',
    about,
    tell: ({ name, version, ...data }, before) => {
      const unsure = notEvaluatedIds(data).length
      return `Version ${version} of ${name} judged it: ${tagsMoved(describeRuleChanges(data), before)}.${
        unsure === 0 ? '' : ` ${countText(unsure, 'rule')} could not be evaluated for want of values.`
      }`
    },
    listChanges: (data, before) => tagChanges(describeRuleChanges(data), before),
  },
}

function about({ family, subjectId }: SubjectRef) {
  return { subjectType: family === 'millCert' ? 'certificate' : 'order', subjectId } as const
}

/** Return the tags that an event puts on and takes off. */
export function tagsIn(data: AssignmentEvent['data']): MovedTags {
  return 'matched' in data ? describeRuleChanges(data) : data
}

function describeRuleChanges(
  data: Pick<RuleAssignmentsReplaced['data'], 'matched' | 'added' | 'removed'>,
): MovedTags {
  return { added: addedBy(data), removed: data.removed }
}

type MovedTags = Readonly<Record<'added' | 'removed', readonly { readonly tagId: string }[]>>

function tagChanges({ added, removed }: MovedTags, { tagNames }: StateBefore): Change[] {
  const tag = ({ tagId }: { tagId: string }) => ({ tagId, name: tagNames.get(tagId) ?? null })
  return [
    ...added.map((one) => ({ field: 'tags', from: null, to: tag(one) })),
    ...removed.map((one) => ({ field: 'tags', from: tag(one), to: null })),
  ]
}

/** "the tag "Hold" was put on, and the tags "A" and "B" were taken off". */
function tagsMoved({ added, removed }: MovedTags, { tagNames }: StateBefore): string {
  const names = (tags: MovedTags['added']) => [
    ...new Set(tags.map(({ tagId }) => `"${tagNames.get(tagId) ?? tagId}"`)),
  ]
  const parts = [
    { tags: names(added), done: 'put on' },
    { tags: names(removed), done: 'taken off' },
  ]
    .filter(({ tags }) => tags.length > 0)
    .map(({ tags, done }) =>
      tags.length === 1 ? `the tag ${tags[0]} was ${done}` : `the tags ${tags.join(', ')} were ${done}`,
    )
  return parts.length === 0 ? 'no tag was put on or taken off' : parts.join(', and ')
}

import type { AuditedTypes, StateBefore } from '../audit/audited.ts'
import { partIf } from '../audit/words.ts'
import type { Change } from '../kernel/changes.ts'
import { addedBy, notEvaluatedIds, type RuleAssignmentsReplaced } from '../rulePacks/ruleAssignments.ts'
import { type Sentence, sentence } from '../verdict/sentence.ts'
import type { SubjectRef } from './assignments.ts'
import type { AssignmentEvent } from './subject.ts'

/** The events that put tags on certificates and orders, and take them off. */

export const assignmentEvents: AuditedTypes<AssignmentEvent> = {
  ManualAssignmentsReplaced: {
    bound: ({ added, removed }) => (added.length > 0 && removed.length === 0 ? 'none' : 'day'),
    about: subjectEntry,
    tell: ({ added, removed }, before) =>
      sentence('ManualAssignmentsReplaced', { moved: tagsMoved({ added, removed }, before) }),
    listChanges: tagChanges,
  },
  RuleAssignmentsReplaced: {
    bound: 'day',
    about: subjectEntry,
    tell: ({ name, version, ...data }, before) => {
      const count = notEvaluatedIds(data).length
      return sentence('RuleAssignmentsReplaced', {
        name,
        version,
        moved: tagsMoved(describeRuleChanges(data), before),
        unsure: partIf(count > 0, 'rules-not-evaluated', { count }),
      })
    },
    listChanges: (data, before) => tagChanges(describeRuleChanges(data), before),
  },
}

function subjectEntry({ family, subjectId }: SubjectRef) {
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

/** "the tag "Hold" was put on, and the tags "A", "B" were taken off". */
function tagsMoved({ added, removed }: MovedTags, { tagNames }: StateBefore): Sentence {
  const sentenceOf = (text: 'tags-put-on' | 'tags-taken-off', tags: MovedTags['added']) => {
    const names = new Set(tags.map(({ tagId }) => tagNames.get(tagId) ?? tagId))
    const parts = [...names].map((name) => sentence('quoted', { name }))
    return sentence(text, { count: parts.length, tags: { parts, between: ', ' } })
  }
  const on = added.length > 0 && sentenceOf('tags-put-on', added)
  const off = removed.length > 0 && sentenceOf('tags-taken-off', removed)
  return on && off ? sentence('tags-moved', { on, off }) : on || off || sentence('no-tags-moved')
}

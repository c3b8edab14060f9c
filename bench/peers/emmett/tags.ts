import { SQL } from '@event-driven-io/dumbo'
import { addedBy, type RuleAssignmentsReplaced } from '../../../src/domain/rulePacks/ruleAssignments.ts'
import type { ManualAssignment, ManualAssignmentsReplaced } from '../../../src/domain/tags/assignments.ts'
import type { TagEvent } from '../../../src/domain/tags/catalogueEvents.ts'
import { tagNameKey } from '../../../src/domain/tags/tag.ts'
import { type PeerEvent, part, revisionOf } from './event.ts'

/** Tags with usage counts, and assignments. */

type Replaced = ManualAssignmentsReplaced | RuleAssignmentsReplaced
type Assignment = ManualAssignment & { readonly ruleId?: string }

export function tags(event: PeerEvent<TagEvent | Replaced>): SQL[] {
  if (event.type === 'ManualAssignmentsReplaced' || event.type === 'RuleAssignmentsReplaced')
    return replace(event.data)
  const { companyId, family, tagId } = event.data
  const at = event.metadata.occurredAt
  const by = event.metadata.actor.id
  const revision = revisionOf(event)
  const isTag = part(SQL`company_id = ${companyId} AND family = ${family} AND tag_id = ${tagId}`)
  switch (event.type) {
    case 'TagCreated': {
      const { name, color, description, severity, isSystemTag } = event.data
      return [
        SQL`INSERT INTO peer.tag VALUES (${companyId}, ${family}, ${tagId}, ${name}, ${tagNameKey(name)}, ${color},
              ${description}, ${severity}, true, ${isSystemTag}, ${by}, 0, ${at}, ${at}, ${revision})`,
      ]
    }
    case 'TagUpdated': {
      const { name, color, description, severity } = event.data
      return [
        SQL`UPDATE peer.tag SET name = ${name}, name_key = ${tagNameKey(name)}, color = ${color},
              description = ${description}, severity = ${severity}, last_modified_by = ${by}, updated_at = ${at},
              revision = ${revision} WHERE ${isTag}`,
      ]
    }
    default:
      return [
        SQL`UPDATE peer.tag SET active = ${event.type === 'TagRestored'}, last_modified_by = ${by},
              updated_at = ${at}, revision = ${revision} WHERE ${isTag}`,
      ]
  }
}

function replace(data: Replaced['data']): SQL[] {
  const { companyId, family, subjectId, removed, usage } = data
  const added = 'matched' in data ? addedBy(data) : data.added
  const gone = removed.map(({ tagId, ruleId = '' }: Assignment) => SQL`(${tagId}, ${ruleId})`)
  const come = added.map(
    ({ tagId, ruleId = '', assignmentId, assignedAt }: Assignment) =>
      SQL`(${companyId}, ${family}, ${subjectId}, ${tagId}, ${ruleId}, ${assignmentId}, ${assignedAt})`,
  )
  const use = (by: number, tagIds: readonly string[]) =>
    tagIds.length === 0
      ? []
      : [
          SQL`UPDATE peer.tag SET usage_count = usage_count + ${by}
              WHERE company_id = ${companyId} AND family = ${family} AND tag_id IN ${tagIds}`,
        ]
  return [
    ...(gone.length === 0
      ? []
      : [
          SQL`DELETE FROM peer.assignment WHERE company_id = ${companyId} AND family = ${family}
                AND subject_id = ${subjectId} AND (tag_id, rule_id) IN (${part(...gone)})`,
        ]),
    ...(come.length === 0 ? [] : [SQL`INSERT INTO peer.assignment VALUES ${part(...come)}`]),
    ...use(1, usage.gained),
    ...use(-1, usage.lost),
  ]
}

import type { Change } from '../../domain/kernel/changes.ts'
import { isPerson, type Recorded } from '../../domain/kernel/event.ts'
import { pick } from '../../domain/kernel/fields.ts'
import { addedBy, type RuleAssignmentsReplaced, valuesOf } from '../../domain/rulePacks/ruleAssignments.ts'
import type { ManualAssignmentsReplaced, RuleAssignment } from '../../domain/tags/assignments.ts'
import type { TagEvent } from '../../domain/tags/catalogueEvents.ts'
import { type Family, familyNames, type TagRef, tagFields } from '../../domain/tags/tag.ts'
import { authorName } from '../company/persons.ts'
import {
  bigint,
  boolean,
  defineProjection,
  integer,
  json,
  nullable,
  type Rows,
  table,
  text,
  timestamptz,
  uuid,
} from '../engine/projection.ts'
import { columnsOf, type ListQuery, listQuery, type Page } from '../engine/reading/listQuery.ts'
import type { Reading } from '../engine/reading/reader.ts'

/** Every change of every tag and of its assignments: what an auditor reads. */

const tables = {
  tagHistory: table({
    columns: {
      companyId: uuid,
      family: text,
      tagId: uuid,
      position: bigint,
      changedAt: timestamptz,
      changedById: text,
      /** Empty for a person. */
      changedByName: text,
      changedByPerson: boolean,
      changedByNameHash: nullable(text),
      changeType: text,
      entityType: text,
      entityId: uuid,
      entityLabel: text,
      changes: json<readonly Change[]>(),
      eventId: uuid,
      assignedByRuleId: nullable(text),
      /** Within its event. */
      ordinal: integer,
    },
    key: ['companyId', 'family', 'tagId', 'position', 'ordinal'],
    indexes: ['(company_id, family, tag_id, (-position), (-ordinal))'],
    appendOnly: true,
  }),
}

type ChangeType = 'Created' | 'Updated' | 'Deleted' | 'Restored' | 'Assigned' | 'Unassigned'

interface AssignmentChange {
  readonly tagId: string
  readonly changeType: ChangeType
  readonly changes: readonly Change[]
  readonly assignedByRuleId: string | null
}

const byHand = { changes: [], assignedByRuleId: null }

export const history = defineProjection<TagEvent | ManualAssignmentsReplaced | RuleAssignmentsReplaced>()({
  name: 'history',
  version: 1,
  tables,
  handlers: {
    TagCreated: {
      touches: touchNothing,
      apply: (rows, event) => {
        const changes = Object.entries(pick(tagFields, event.data))
          .filter(([, to]) => to !== null)
          .map(([field, to]) => ({ field, from: null, to }))
        tagChanged(rows, event, 'Created', changes)
      },
    },
    TagUpdated: {
      touches: touchNothing,
      apply: (rows, event) => tagChanged(rows, event, 'Updated', event.data.changes),
    },
    TagSoftDeleted: {
      touches: touchNothing,
      apply: (rows, event) =>
        tagChanged(rows, event, 'Deleted', [{ field: 'active', from: true, to: false }]),
    },
    TagRestored: {
      touches: touchNothing,
      apply: (rows, event) =>
        tagChanged(rows, event, 'Restored', [{ field: 'active', from: false, to: true }]),
    },
    ManualAssignmentsReplaced: {
      touches: touchNothing,
      apply: (rows, event) => {
        const { added, removed } = event.data
        assignmentsChanged(rows, event, [
          ...added.map(({ tagId }) => ({ ...byHand, tagId, changeType: 'Assigned' as const })),
          ...removed.map(({ tagId }) => ({ ...byHand, tagId, changeType: 'Unassigned' as const })),
        ])
      },
    },
    RuleAssignmentsReplaced: {
      touches: touchNothing,
      apply: (rows, event) => {
        const { version, matched, removed } = event.data
        const evidence = (ruleId: string): Change[] => {
          const match = matched.find((one) => one.ruleId === ruleId)
          const matchValues = match && { clause: match.clause, values: valuesOf(match, event.data) }
          return Object.entries({ rulePackVersion: version, ...matchValues }).map(([field, to]) => ({
            field,
            from: null,
            to,
          }))
        }
        const changed =
          (changeType: ChangeType) =>
          ({ tagId, ruleId }: RuleAssignment) => ({
            tagId,
            assignedByRuleId: ruleId,
            changeType,
            changes: evidence(ruleId),
          })
        assignmentsChanged(rows, event, [
          ...addedBy(event.data).map(changed('Assigned')),
          ...removed.map(changed('Unassigned')),
        ])
      },
    },
  },
})

/** Operation 5: the full history of a tag, most recent first. */
export function listTagHistory(
  reading: Reading,
  { companyId, family, tagId }: { companyId: string; family: Family; tagId: string },
  page?: Page,
): ListQuery {
  const { changedByPerson, changedByNameHash, ...shown } = columnsOf(tables.tagHistory, 'h', [
    'companyId',
    'family',
    'tagId',
    'ordinal',
  ])
  const changedByName = authorName(reading, {
    companyId: 'h.company_id',
    userId: shown.changedById,
    isPerson: changedByPerson,
    name: shown.changedByName,
    nameHash: changedByNameHash,
    position: shown.position,
  })
  return listQuery(
    {
      select: { ...shown, changedByName },
      from: `${reading.table(history, 'tagHistory')} h`,
      where: 'h.company_id = $1 AND h.family = $2 AND h.tag_id = $3',
      values: [companyId, family, tagId],
      // Negated, so that one ascending order serves every list.
      order: ['-position', '-ordinal'],
    },
    page,
  )
}

function commonMembers({ id, position, metadata }: Recorded) {
  const changedByPerson = isPerson(metadata.actor)
  return {
    position,
    changedAt: metadata.occurredAt,
    changedById: metadata.actor.id,
    changedByName: changedByPerson ? '' : metadata.actor.name,
    changedByPerson,
    changedByNameHash: metadata.actor.nameHash ?? null,
    eventId: id,
  }
}

function tagChanged(
  rows: Rows<typeof tables>,
  event: Recorded<TagEvent>,
  changeType: ChangeType,
  changes: readonly Change[],
): void {
  const { companyId, family, tagId, name } = event.data as TagRef & { name: string }
  rows.tagHistory.put({
    ...commonMembers(event),
    companyId,
    family,
    tagId,
    changeType,
    entityType: familyNames[family].tagEntity,
    entityId: tagId,
    entityLabel: name,
    changes,
    assignedByRuleId: null,
    ordinal: 0,
  })
}

function assignmentsChanged(
  rows: Rows<typeof tables>,
  event: Recorded<ManualAssignmentsReplaced | RuleAssignmentsReplaced>,
  changed: readonly AssignmentChange[],
): void {
  const { companyId, family, subjectId, subjectLabel } = event.data
  for (const [ordinal, change] of changed.entries())
    rows.tagHistory.put({
      ...commonMembers(event),
      companyId,
      family,
      entityType: familyNames[family].subjectEntity,
      entityId: subjectId,
      entityLabel: subjectLabel,
      ...change,
      ordinal,
    })
}

function touchNothing() {
  return {}
}

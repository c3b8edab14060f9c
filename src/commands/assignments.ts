import type { Assignments, ManualAssignmentsReplaced } from '../domain/assignments.ts'
import type { Stored } from '../domain/event.ts'
import { invalid } from '../domain/refusal.ts'
import { type AssignmentEvent, assignTags, type Subject } from '../domain/subject.ts'
import { subjects } from '../domain/subjects.ts'
import type { Family } from '../domain/tag.ts'
import { findTag, type TagCatalogue } from '../domain/tagCatalogue.ts'
import { catalogueOf, inOrderOfNames } from './catalogue.ts'
import type { Command } from './command.ts'

/** One manual assignment, as operation 10 answers it; the subject's id is named after its family. */
export interface ManualAssignmentRecord {
  readonly assignmentId: string
  readonly millCertificationId?: string
  readonly orderId?: string
  readonly tagId: string
  readonly assignedByRuleId: null
  readonly assignedAt: string
}

/** The tags to assign, in the order of their names. @throws Refusal naming every id that cannot be assigned */
const tagsToAssign = (
  catalogue: TagCatalogue,
  family: Family,
  tagIds: readonly string[],
  present: Assignments,
): string[] => {
  const assigned = new Set(present.manual.map(({ tagId }) => tagId))
  const faults = tagIds.flatMap((tagId, index) => {
    const tag = findTag(catalogue, family, tagId)
    const place = { path: `/tagIds/${index}`, record: { tagId } }
    if (!tag) return [{ ...place, message: `There is no tag ${tagId}.` }]
    // A tag that was assigned before it was deleted may stay.
    if (!tag.active && !assigned.has(tagId)) return [{ ...place, message: `Tag «${tag.name}» is deleted.` }]
    return []
  })
  if (faults.length > 0) throw invalid(faults)
  const tags = [...new Set(tagIds)].map((tagId) => findTag(catalogue, family, tagId)!)
  return inOrderOfNames(tags).map(({ tagId }) => tagId)
}

/**
 * Operation 10. The catalogue is read to its end before the decision; a tag deleted between that and the append
 * stays assigned and hidden, as any deleted tag does.
 */
export function setManualAssignments(
  companyId: string,
  family: Family,
  subjectId: string,
  tagIds: readonly string[],
): Command<Subject<unknown> | undefined, AssignmentEvent, readonly ManualAssignmentRecord[], TagCatalogue> {
  const kind = subjects[family]
  return {
    aggregate: kind.aggregate,
    id: kind.key(companyId, subjectId),
    target: (state) => state && { revision: state.assignments.manualRevision },
    addressed: { what: kind.noun, id: subjectId },
    consult: catalogueOf(companyId),
    decide: (state, context, catalogue) =>
      assignTags(kind, state!, tagsToAssign(catalogue, family, tagIds, state!.assignments), context),
    answer: (state, recorded, catalogue) => {
      const [event] = recorded as readonly Stored<ManualAssignmentsReplaced>[]
      const assignments =
        event?.data.assignments ??
        tagsToAssign(catalogue, family, tagIds, state!.assignments).map(
          (tagId) => state!.assignments.manual.find((assignment) => assignment.tagId === tagId)!,
        )
      return {
        body: assignments.map(({ assignmentId, tagId, assignedAt }) => ({
          assignmentId,
          [kind.subjectId]: subjectId,
          tagId,
          assignedByRuleId: null,
          assignedAt,
        })),
        etag: state!.assignments.manualRevision,
      }
    },
  }
}

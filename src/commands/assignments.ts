import type { Assignments, ManualAssignment, ManualAssignmentsReplaced } from '../domain/assignments.ts'
import type { Stored } from '../domain/event.ts'
import { invalid } from '../domain/refusal.ts'
import { type AssignmentEvent, assignTags, type Subject } from '../domain/subject.ts'
import { subjects } from '../domain/subjects.ts'
import type { Family } from '../domain/tag.ts'
import { findTag, type TagCatalogue } from '../domain/tagCatalogue.ts'
import { catalogueOf, inOrderOfNames } from './catalogue.ts'
import { type Command, onRecord } from './command.ts'

/** One manual assignment, as operation 10 answers it; the subject's id is named after its family. */
export interface ManualAssignmentRecord {
  readonly assignmentId: string
  readonly millCertificationId?: string
  readonly orderId?: string
  readonly tagId: string
  readonly assignedByRuleId: null
  readonly assignedAt: string
}

/**
 * Operation 10. The catalogue is read to its end before the decision. A tag that is deleted between that and the
 * append stays assigned and hidden, as any deleted tag does.
 */
export function setManualAssignments(
  companyId: string,
  family: Family,
  subjectId: string,
  tagIds: readonly string[],
): Command<readonly ManualAssignmentRecord[]> {
  const kind = subjects[family]
  return onRecord<Subject<unknown> | undefined, AssignmentEvent, TaggedSubject, TagCatalogue, Records>({
    aggregate: kind.aggregate,
    id: kind.key(companyId, subjectId),
    record: {
      noun: kind.noun,
      id: subjectId,
      find: (subject) => subject && { subject, revision: subject.assignments.manualRevision },
    },
    dependencies: catalogueOf(companyId),
    decide: ({ subject }, context, catalogue) =>
      assignTags(kind, subject, tagsToAssign(catalogue, family, tagIds, subject.assignments), context),
    answer: ({ subject: { assignments }, revision }, [event], catalogue) => ({
      body: (event
        ? (event as Stored<ManualAssignmentsReplaced>).data.assignments
        : manualAssignments(assignments, tagsToAssign(catalogue, family, tagIds, assignments))
      ).map(({ assignmentId, tagId, assignedAt }) => ({
        assignmentId,
        [kind.subjectId]: subjectId,
        tagId,
        assignedByRuleId: null,
        assignedAt,
      })),
      etag: revision,
    }),
  })
}

type Records = readonly ManualAssignmentRecord[]

interface TaggedSubject {
  readonly subject: Subject<unknown>
  readonly revision: number
}

function manualAssignments({ manual }: Assignments, tagIds: readonly string[]): ManualAssignment[] {
  return tagIds.map((tagId) => manual.find((assignment) => assignment.tagId === tagId)!)
}

/** Return the tags to assign, in the order of their names. @throws Refusal with every id that cannot be assigned */
function tagsToAssign(
  catalogue: TagCatalogue,
  family: Family,
  tagIds: readonly string[],
  present: Assignments,
): string[] {
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

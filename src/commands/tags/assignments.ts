import type { Stored } from '../../domain/kernel/event.ts'
import { type Fault, invalid } from '../../domain/kernel/refusal.ts'
import {
  type Assignments,
  findManual,
  type ManualAssignment,
  type ManualAssignmentsReplaced,
} from '../../domain/tags/assignments.ts'
import { type AnySubjectKind, assignOneTag, assignTags, type Subject } from '../../domain/tags/subject.ts'
import { subjects } from '../../domain/tags/subjects.ts'
import type { Family } from '../../domain/tags/tag.ts'
import { findTag, type Tag, type TagCatalogue } from '../../domain/tags/tagCatalogue.ts'
import { refusals } from '../../problems/catalogue.ts'
import { type Command, onRecord } from '../executor/command.ts'
import { catalogueOf, inOrderOfNames } from './catalogue.ts'

/** One manual assignment, as operation 10 answers it; the subject's id is named after its family. */
interface ManualAssignmentRecord {
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
  return onRecord({
    aggregate: kind.aggregate,
    id: kind.key(companyId, subjectId),
    record: {
      missing: kind.missing,
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
      ).map((assignment) => assignmentRecord(kind, subjectId, assignment)),
      etag: revision,
    }),
  })
}

/** Assign one tag by hand. The record, and its ETag, are the assignment's own. Again it records nothing. */
export function assignTag(address: AssignmentAddress): Command<ManualAssignmentRecord> {
  const { companyId, family, subjectId, tagId } = address
  const kind = subjects[family]
  return onRecord({
    ...oneAssignment(address),
    dependencies: catalogueOf(companyId),
    decide: ({ subject, revision }, context, catalogue) => {
      if (revision !== undefined) return []
      const fault = faultOfTag(findTag(catalogue, family, tagId), tagId)
      if (fault) throw invalid([{ path: 'tagId', parameter: 'tagId', ...fault }])
      return assignOneTag(
        kind,
        subject,
        tagsInOrder(catalogue, family, [...manualTags(subject), tagId]),
        context,
      )
    },
    answer: ({ subject: { assignments }, revision }) => ({
      body: assignmentRecord(kind, subjectId, findManual(assignments, tagId)!),
      etag: revision,
    }),
  })
}
assignTag.refuses = refusals('too-many-manual-tags')

/** Take away one tag that was assigned by hand. Again it records nothing. */
export function unassignTag(address: AssignmentAddress): Command<undefined> {
  const kind = subjects[address.family]
  return onRecord({
    ...oneAssignment(address),
    decide: ({ subject }, context) =>
      assignTags(
        kind,
        subject,
        manualTags(subject).filter((tagId) => tagId !== address.tagId),
        context,
      ),
  })
}

interface AssignmentAddress {
  readonly companyId: string
  readonly family: Family
  readonly subjectId: string
  readonly tagId: string
}

type Tagged = Subject<unknown> | undefined

/** The assignment of one tag to one subject, which may not exist. */
function oneAssignment({ companyId, family, subjectId, tagId }: AssignmentAddress) {
  const kind = subjects[family]
  return {
    aggregate: kind.aggregate,
    id: kind.key(companyId, subjectId),
    record: {
      missing: kind.missing,
      id: subjectId,
      find: (subject: Tagged) =>
        subject && { subject, revision: findManual(subject.assignments, tagId)?.revision },
    },
  }
}

function manualTags({ assignments }: Subject<unknown>): string[] {
  return assignments.manual.map(({ tagId }) => tagId)
}

function assignmentRecord(
  { subjectId: name }: AnySubjectKind,
  subjectId: string,
  { assignmentId, tagId, assignedAt }: ManualAssignment,
): ManualAssignmentRecord {
  return { assignmentId, [name]: subjectId, tagId, assignedByRuleId: null, assignedAt }
}

function manualAssignments(present: Assignments, tagIds: readonly string[]): ManualAssignment[] {
  return tagIds.map((tagId) => findManual(present, tagId)!)
}

/** Return the tags to assign, in the order of their names. @throws Refusal with every id that cannot be assigned */
function tagsToAssign(
  catalogue: TagCatalogue,
  family: Family,
  tagIds: readonly string[],
  present: Assignments,
): string[] {
  const faults = tagIds.flatMap((tagId, index): Fault[] => {
    // A tag that was assigned before it was deleted may stay.
    if (findManual(present, tagId)) return []
    const fault = faultOfTag(findTag(catalogue, family, tagId), tagId)
    return fault ? [{ path: `/tagIds/${index}`, ...fault }] : []
  })
  if (faults.length > 0) throw invalid(faults)
  return tagsInOrder(catalogue, family, tagIds)
}

/** Return why the tag cannot be assigned, if it cannot. */
function faultOfTag(tag: Tag | undefined, tagId: string): Omit<Fault, 'path'> | undefined {
  const record = { tagId }
  if (!tag) return { code: 'unknown-record', message: `There is no tag ${tagId}.`, record }
  if (tag.active) return undefined
  return { code: 'deleted-record', message: `Tag “${tag.name}” is deleted.`, record }
}

/** Return each tag once, in the order of their names. */
function tagsInOrder(catalogue: TagCatalogue, family: Family, tagIds: readonly string[]): string[] {
  const tags = [...new Set(tagIds)].map((tagId) => findTag(catalogue, family, tagId)!)
  return inOrderOfNames(tags).map(({ tagId }) => tagId)
}

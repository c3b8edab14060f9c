import type { Aggregate, DecisionContext } from '../domain/aggregate.ts'
import type { Assignments, ManualAssignmentsReplaced } from '../domain/assignments.ts'
import type { Stored } from '../domain/event.ts'
import {
  assignToCertificate,
  type MillCertificate,
  type MillCertificateEvent,
  millCertificate,
  millCertificateKey,
} from '../domain/millCertificate.ts'
import { assignToOrder, type Order, type OrderEvent, order, orderKey } from '../domain/order.ts'
import { invalid } from '../domain/refusal.ts'
import { type Family, findTag, type TagCatalogue } from '../domain/tagCatalogue.ts'
import { catalogueOf, inOrderOfNames } from './catalogue.ts'
import type { AnyCommand, Command } from './command.ts'

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
 * Operation 10 for one kind of subject. The catalogue is read to its end before the decision; a tag deleted
 * between that and the append stays assigned and hidden, as any deleted tag does.
 */
const setAssignments = <
  Subject extends { revision: number; assignments: Assignments },
  Event extends MillCertificateEvent | OrderEvent,
>(
  subject: {
    aggregate: Aggregate<Subject | undefined, Event>
    id: string
    family: Family
    subjectId: string
    what: string
    idField: 'millCertificationId' | 'orderId'
    assign: (subject: Subject, tagIds: readonly string[], context: DecisionContext) => readonly Event[]
  },
  companyId: string,
  tagIds: readonly string[],
): Command<Subject | undefined, Event, readonly ManualAssignmentRecord[], TagCatalogue> => {
  const { aggregate, id, family, subjectId, idField } = subject
  return {
    aggregate,
    id,
    target: (state) => state && { revision: state.assignments.manualRevision },
    addressed: { what: subject.what, id: subjectId },
    consult: catalogueOf(companyId),
    decide: (state, context, catalogue) =>
      subject.assign(state!, tagsToAssign(catalogue, family, tagIds, state!.assignments), context),
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
          [idField]: subjectId,
          tagId,
          assignedByRuleId: null,
          assignedAt,
        })),
        etag: state!.assignments.manualRevision,
      }
    },
  }
}

export const setManualAssignments = (
  companyId: string,
  family: Family,
  subjectId: string,
  tagIds: readonly string[],
): AnyCommand<readonly ManualAssignmentRecord[]> =>
  family === 'millCert'
    ? setAssignments<NonNullable<MillCertificate>, MillCertificateEvent>(
        {
          aggregate: millCertificate,
          id: millCertificateKey(companyId, subjectId),
          family,
          subjectId,
          what: 'mill certificate',
          idField: 'millCertificationId',
          assign: assignToCertificate,
        },
        companyId,
        tagIds,
      )
    : setAssignments<NonNullable<Order>, OrderEvent>(
        {
          aggregate: order,
          id: orderKey(companyId, subjectId),
          family,
          subjectId,
          what: 'order',
          idField: 'orderId',
          assign: assignToOrder,
        },
        companyId,
        tagIds,
      )

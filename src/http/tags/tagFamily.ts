import { type Family, familyNames } from '../../domain/tags/tag.ts'
import type { Reading } from '../../projections/engine/reading/reader.ts'
import { subjectExists, subjectTables } from '../../projections/tags/subjects.ts'

/** The names in the routes of a family. */
const routeNames = {
  millCert: { segment: 'millcert-tag', called: 'MillCert', group: 'Mill cert tags' },
  order: { segment: 'order-tag', called: 'Order', group: 'Order tags' },
} as const

type SubjectParams = Readonly<Record<string, string>>

/** Return what the routes on one family's tags and assignments share. */
export function tagFamily(family: Family) {
  const { segment, called, group } = routeNames[family]
  const { subjectId, noun, missing } = familyNames[family]
  const all = `/api/company/{companyId}/${segment}s` as const
  const assignments = `/api/company/{companyId}/${segment}-assignments` as const
  const subjectOf = (params: SubjectParams): string => params[subjectId]!
  return {
    called,
    noun,
    /** The problem code of a subject that does not exist. */
    missing,
    /** The member, and path parameter, that holds the subject's id. */
    subjectId,
    subjectOf,
    all,
    one: `${all}/{tagId}`,
    assignments,
    ofSubject: `${assignments}/{${subjectId}}`,
    reading: { tag: group, access: { company: 'view' } },
    writing: { tag: group, access: { company: 'tag' } },
    /** The read model of the subjects. */
    subjects: subjectTables[family].projection,
    /** Answer 404 when the company does not have the subject. */
    withinSubject: {
      find: (snapshot: Reading, { params }: { params: SubjectParams }) =>
        subjectExists(snapshot, { companyId: params.companyId!, family, subjectId: subjectOf(params) }),
      missing: { code: missing, id: subjectId },
    },
  } as const
}

import type { MissingRecordCode } from '../../problems/records.ts'
import type { Change } from '../kernel/changes.ts'
import { type ContentOf, colour, identifier, oneOf, orNull, text } from '../kernel/fields.ts'
import { nameKey } from '../kernel/spellings.ts'

/** The kind of subject that a tag is for. Each company has two families of tags, with the same operations. */
export type Family = 'millCert' | 'order'

export const severities = ['Block', 'Flag', 'Audit'] as const
export type Severity = (typeof severities)[number]

/** Whether a severity becomes a higher one. */
export function isRaised({ from, to }: Change): boolean {
  return rankOf(to) > rankOf(from)
}

/** The rank of a severity; -1 for none. */
function rankOf(severity: unknown): number {
  return severities.toReversed().indexOf(severity as Severity)
}

/** In the order in which they are shown. */
export const tagFields = {
  name: identifier({ most: 100, about: 'Unique among the tags of the company in this family.' }),
  color: colour(),
  description: orNull(text({ least: 0, most: 500 })),
  severity: orNull(oneOf('Severity', severities)),
}
export type TagContent = ContentOf<typeof tagFields>

export interface TagRef {
  readonly companyId: string
  readonly family: Family
  readonly tagId: string
}

/** A tag as certificates and orders show it. */
export interface ShownTag {
  readonly tagId: string
  readonly name: string
  readonly color: string
  readonly severity: Severity | null
}

/** Two tags of a family may not have the same name key. */
export const tagNameKey = nameKey

/** The words of the interface for a family and its subjects. */
export interface FamilyNames {
  readonly family: Family
  /** The member that holds the id of a subject. */
  readonly subjectId: 'millCertificationId' | 'orderId'
  /** A subject in a sentence. */
  readonly noun: string
  /** The problem code of a subject that does not exist. */
  readonly missing: MissingRecordCode
  /** `entityType` of an audit entry about a tag, or about a subject. */
  readonly tagEntity: string
  readonly subjectEntity: string
}

export const familyNames: Readonly<Record<Family, FamilyNames>> = {
  millCert: {
    family: 'millCert',
    subjectId: 'millCertificationId',
    noun: 'mill certificate',
    missing: 'certificate-not-found',
    tagEntity: 'MillCertTag',
    subjectEntity: 'MillCertification',
  },
  order: {
    family: 'order',
    subjectId: 'orderId',
    noun: 'order',
    missing: 'order-not-found',
    tagEntity: 'OrderTag',
    subjectEntity: 'Order',
  },
}

/** Both families, certificates first. */
export const families = Object.keys(familyNames) as readonly Family[]

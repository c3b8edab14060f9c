import type { MillCertificateCorrected } from '../certificates/certificate.ts'
import { isJudgedField } from '../certificates/certificateStatus.ts'
import { Refusal } from '../kernel/refusal.ts'
import type { ManualAssignmentsReplaced } from '../tags/assignments.ts'
import type { TagEvent } from '../tags/catalogueEvents.ts'
import type { TagCatalogue } from '../tags/tagCatalogue.ts'

/** The changes that need the role Quality or Admin in a company that has set `qualityOnly`. */

type TagChange = TagEvent | ManualAssignmentsReplaced

/**
 * Refuse to take off or to lower a Block: to delete its tag, to lower the tag's severity, or to take its last
 * assignment away. `catalogue` is the catalogue before the events. @throws Refusal `quality-only`
 */
export function refuseToLiftBlocks(events: readonly TagChange[], catalogue: TagCatalogue): void {
  const blocks = (tagId: string) => {
    const tag = catalogue.tags.get(tagId)
    return tag?.active === true && tag.severity === 'Block'
  }
  const lifts = events.some((event) => {
    switch (event.type) {
      case 'TagUpdated':
        return event.data.severity !== 'Block' && blocks(event.data.tagId)
      case 'TagSoftDeleted':
        return blocks(event.data.tagId)
      case 'ManualAssignmentsReplaced':
        return event.data.usage.lost.some(blocks)
      default:
        return false
    }
  })
  if (lifts) throw qualityOnly('A Block would be taken off or lowered')
}

/** Refuse to correct a value that the verdict depends on. @throws Refusal `quality-only` */
export function refuseJudgedCorrection(events: readonly MillCertificateCorrected[]): void {
  if (events.some(({ data }) => data.changes.some(isJudgedField)))
    throw qualityOnly(
      'The certificate is released or used, and a value that the verdict depends on would change',
    )
}

function qualityOnly(what: string): Refusal {
  return new Refusal(
    'quality-only',
    `${what}, which the release policy leaves to the roles Quality and Admin, so nothing was recorded. Ask a colleague with one of these roles.`,
  )
}

import type { TagAuditEntry } from '../../api/generated.ts'
import { useList } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'
import { History } from '../../kit/History.tsx'
import { type TextName, useTexts } from '../../texts/texts.ts'
import { type Family, families } from './family.ts'

const changeTexts = {
  Created: 'changeCreated',
  Updated: 'changeUpdated',
  Deleted: 'changeDeleted',
  Restored: 'changeRestored',
  Assigned: 'changeAssigned',
  Unassigned: 'changeUnassigned',
} as const satisfies Record<TagAuditEntry['changeType'], TextName>

interface TagHistoryProps {
  readonly family: Family
  readonly tagId: string
}

/** The changes of a tag and of its assignments. */
export function TagHistory({ family, tagId }: TagHistoryProps) {
  const { t } = useTexts()
  const list = useList(families[family].history, { params: { companyId: useCompanyId(), tagId } })
  return (
    <History
      list={list}
      entry={(entry) => ({
        key: `${entry.eventId} ${entry.entityId}`,
        who: entry.changedByName,
        did: (
          <>
            {t(changeTexts[entry.changeType], { label: entry.entityLabel })}
            <Origin entry={entry} />
          </>
        ),
        changes: entry.changes,
        at: entry.changedAt,
      })}
    />
  )
}

/** Say whether a person or a rule has assigned the tag. */
function Origin({ entry: { changeType, assignedByRuleId } }: { readonly entry: TagAuditEntry }) {
  const { t } = useTexts()
  if (changeType !== 'Assigned' && changeType !== 'Unassigned') return null
  return (
    <span className="muted">
      {' '}
      · {assignedByRuleId === null ? t('byHand') : t('byRule', { rule: assignedByRuleId })}
    </span>
  )
}

import type { ReactNode } from 'react'
import type { TagAuditEntry } from '../api/generated.ts'
import { type TextName, useTexts } from '../texts/texts.ts'

const changeTexts = {
  Created: 'changeCreated',
  Updated: 'changeUpdated',
  Deleted: 'changeDeleted',
  Restored: 'changeRestored',
  Assigned: 'changeAssigned',
  Unassigned: 'changeUnassigned',
} as const satisfies Record<TagAuditEntry['changeType'], TextName>

/** Show who did what and when, newest first. */
export function Timeline({
  entries,
  empty,
}: {
  readonly entries: readonly TagAuditEntry[]
  readonly empty: ReactNode
}) {
  const { t, dateTime } = useTexts()
  if (entries.length === 0) return empty
  return (
    <ol className="timeline">
      {entries.map((entry) => {
        const { eventId, entityId, changedByName, changedAt, changeType, entityLabel, assignedByRuleId } =
          entry
        const isAssignment = changeType === 'Assigned' || changeType === 'Unassigned'
        return (
          <li key={`${eventId} ${entityId}`}>
            <p>
              <strong>{changedByName}</strong> {t(changeTexts[changeType], { label: entityLabel })}
              {isAssignment && (
                <span className="muted">
                  {' '}
                  · {assignedByRuleId === null ? t('byHand') : t('byRule', { rule: assignedByRuleId })}
                </span>
              )}
            </p>
            {entry.changes.length > 0 && (
              <ul className="changes">
                {entry.changes.map((change) => (
                  <Change key={change.field} {...change} />
                ))}
              </ul>
            )}
            <time dateTime={changedAt} className="muted small">
              {dateTime(changedAt)}
            </time>
          </li>
        )
      })}
    </ol>
  )
}

type ChangeProps = TagAuditEntry['changes'][number]

function Change({ field, from, to }: ChangeProps) {
  const { t } = useTexts()
  const name = fieldTexts[field]
  const hadValue = from !== null && from !== undefined
  return (
    <li>
      <span className="muted">{name ? t(name) : field}:</span>{' '}
      {hadValue && (
        <>
          <del>
            <Value value={from} />
          </del>{' '}
          <span aria-hidden="true">→</span>{' '}
        </>
      )}
      <ins>
        <Value value={to} />
      </ins>
    </li>
  )
}

/** The other fields are words of the rules, which have no translation. */
const fieldTexts: Readonly<Record<string, TextName>> = {
  name: 'name',
  color: 'colour',
  description: 'description',
  severity: 'severity',
}

/** A value of a change; the values of a rule one on each line. */
export function Value({ value }: { readonly value: unknown }) {
  const { t, number } = useTexts()
  if (value === null || value === undefined || value === '') return <>–</>
  if (typeof value === 'number') return <>{number(value)}</>
  if (typeof value === 'boolean') return <>{t(value ? 'yes' : 'no')}</>
  if (typeof value !== 'object') return <>{String(value)}</>
  return (
    <ul className="values">
      {Object.entries(value).map(([name, one]) => (
        <li key={name}>
          <code>{name}</code> = <Value value={one} />
        </li>
      ))}
    </ul>
  )
}

import type { ReactNode } from 'react'
import { type TextName, useTexts } from '../texts/texts.ts'

/** A line of a history. */
export interface TimelineEntry {
  readonly key: string
  readonly who: string
  readonly did: ReactNode
  readonly changes: readonly ChangeProps[]
  /** The words say everything, so the values are shown on request. */
  readonly isFolded?: boolean
  /** When it was recorded. */
  readonly at: string
  /** When it was done, if that was said. */
  readonly doneAt?: string | null
}

interface TimelineProps {
  readonly entries: readonly TimelineEntry[]
}

/** Show who did what and when, newest first, day by day. */
export function Timeline({ entries }: TimelineProps) {
  const { day } = useTexts()
  return [...Map.groupBy(entries, ({ at }) => day(at))].map(([name, ofDay]) => (
    <section key={name} className="timelineDay">
      <h3>{name}</h3>
      <ol className="timeline">
        {ofDay.map(({ key, ...entry }) => (
          <Entry key={key} {...entry} />
        ))}
      </ol>
    </section>
  ))
}

function Entry({ who, did, changes, isFolded, at, doneAt }: Omit<TimelineEntry, 'key'>) {
  const { t, dateTime, time } = useTexts()
  return (
    <li>
      <p>
        <strong>{who}</strong> {did}
      </p>
      {isFolded ? <FoldedChanges changes={changes} /> : <Changes changes={changes} />}
      <p className="muted small">
        <time dateTime={at}>{time(at)}</time>
        {doneAt && <> · {t('doneAt', { at: dateTime(doneAt) })}</>}
      </p>
    </li>
  )
}

/** Show changes on request. */
export function FoldedChanges({ changes }: Pick<TimelineEntry, 'changes'>) {
  const { t } = useTexts()
  if (changes.length === 0) return null
  return (
    <details>
      <summary>{t('seenValues')}</summary>
      <Changes changes={changes} />
    </details>
  )
}

function Changes({ changes }: Pick<TimelineEntry, 'changes'>) {
  if (changes.length === 0) return null
  return (
    <ul className="changes">
      {changes.map((change) => (
        <Change key={change.field} {...change} />
      ))}
    </ul>
  )
}

interface ChangeProps {
  readonly field: string
  readonly from?: unknown
  readonly to?: unknown
}

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
          {!Array.isArray(value) && (
            <>
              <code>{name}</code> ={' '}
            </>
          )}
          <Value value={one} />
        </li>
      ))}
    </ul>
  )
}

import { type ReactNode, useState } from 'react'
import { authorName } from '../texts/authors.ts'
import { useTexts } from '../texts/texts.ts'
import { useChangedName } from './Happened.tsx'
import { Value } from './Value.tsx'

/** A line of a history. */
export interface TimelineEntry {
  readonly key: string
  readonly who: string
  readonly did: ReactNode
  readonly changes: readonly ChangeProps[]
  /** The sentence says everything, so the values are shown only on request. */
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
  const { t, dateTime, time, language } = useTexts()
  return (
    <li>
      <p>
        <strong>{authorName(who, language)}</strong> {did}
      </p>
      {isFolded ? <FoldedChanges changes={changes} /> : <Changes changes={changes} />}
      <p className="muted small">
        <time dateTime={at}>{time(at)}</time>
        {doneAt && <> · {t('doneAt', { at: dateTime(doneAt) })}</>}
      </p>
    </li>
  )
}

/** Show changes on request. The names of the records in them are read then. */
export function FoldedChanges({ changes }: Pick<TimelineEntry, 'changes'>) {
  const { t } = useTexts()
  const [isOpen, setIsOpen] = useState(false)
  if (changes.length === 0) return null
  return (
    <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{t('seenValues')}</summary>
      {isOpen && <Changes changes={changes} />}
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
  const nameOf = useChangedName()
  const hadValue = from !== null && from !== undefined
  return (
    <li>
      <span className="muted">{nameOf(field)}:</span>{' '}
      {hadValue && (
        <>
          <del>
            <Value value={from} {...{ field, nameOf }} />
          </del>{' '}
          <span aria-hidden="true">→</span>{' '}
        </>
      )}
      <ins>
        <Value value={to} {...{ field, nameOf }} />
      </ins>
    </li>
  )
}

import type { ReactNode } from 'react'
import { toldIn } from '../../domain/verdict/sentence.ts'
import { type TextName, useTexts } from '../texts/texts.ts'
import { barTexts } from './BarMark.tsx'
import { certificateTexts } from './CertificateMark.tsx'
import { useChangedName } from './Happened.tsx'

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

/** The statuses of bars and certificates. */
const statusTexts: Readonly<Record<string, TextName>> = { ...barTexts, ...certificateTexts }

function Change({ field, from, to }: ChangeProps) {
  const { t } = useTexts()
  const nameOf = useChangedName()
  const inWords = (value: unknown) => {
    const text = field === 'status' && statusTexts[String(value)]
    return text ? t(text) : value
  }
  const hadValue = from !== null && from !== undefined
  return (
    <li>
      <span className="muted">{nameOf(field)}:</span>{' '}
      {hadValue && (
        <>
          <del>
            <Value value={inWords(from)} nameOf={nameOf} />
          </del>{' '}
          <span aria-hidden="true">→</span>{' '}
        </>
      )}
      <ins>
        <Value value={inWords(to)} nameOf={nameOf} />
      </ins>
    </li>
  )
}

interface ValueProps {
  readonly value: unknown
  /** Names the members of a value that has parts. Without it they have the names that rules give them. */
  readonly nameOf?: ((member: string) => string) | undefined
}

/** A value of a change; the values of a rule one on each line. */
export function Value({ value, nameOf }: ValueProps) {
  const { t, number, language } = useTexts()
  if (value === null || value === undefined || value === '') return <>–</>
  if (typeof value === 'number') return <>{number(value)}</>
  if (typeof value === 'boolean') return <>{t(value ? 'yes' : 'no')}</>
  if (typeof value !== 'object') return <>{String(value)}</>
  if (isTold(value)) return <>{toldIn(language, value)}</>
  return (
    <ul className="values">
      {Object.entries(value).map(([name, one]) => (
        <li key={name}>
          {!Array.isArray(value) && (
            <>{nameOf ? <span className="muted">{nameOf(name)}:</span> : <code>{name} =</code>} </>
          )}
          <Value value={one} nameOf={nameOf} />
        </li>
      ))}
    </ul>
  )
}

/** A finding, which says everything in its sentence. */
function isTold(value: object): value is Parameters<typeof toldIn>[1] {
  return 'message' in value && 'sentence' in value
}

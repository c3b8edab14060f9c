import type { ReactNode } from 'react'
import { useTexts } from '../texts/texts.ts'

/** Two versions of a record beside each other. */

export interface Difference {
  readonly name: string
  readonly mine: ReactNode
  readonly theirs: ReactNode
  /** By default, whether the two texts differ. */
  readonly differs?: boolean
}

interface VersionsProps {
  readonly differences: readonly Difference[]
  /** The title of the first version; by default, the person's own. */
  readonly mine?: string
  /** The title of the second version; by default, the version of somebody else. */
  readonly theirs?: string
}

export function Versions({ differences, mine, theirs }: VersionsProps) {
  const { t } = useTexts()
  return (
    <table className="versions">
      <thead>
        <tr>
          <th scope="col">{t('field')}</th>
          <th scope="col">{mine ?? t('yourVersion')}</th>
          <th scope="col">{theirs ?? t('theirVersion')}</th>
        </tr>
      </thead>
      <tbody>
        {differences.map(({ name, mine, theirs, differs = mine !== theirs }) => (
          <tr key={name} className={differs ? 'differs' : ''}>
            <th scope="row">{name}</th>
            <td>{mine}</td>
            <td>{theirs}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface ChangedProps {
  /** The values when the dialog was opened, and the values now. */
  readonly differences: readonly Difference[]
  /** The person's own command is under way, and changes the record. */
  readonly isPending: boolean
}

/** Show in an open dialog what somebody else has changed on its record meanwhile. What was typed stays. */
export function Changed({ differences, isPending }: ChangedProps) {
  const { t } = useTexts()
  const changed = differences.filter(({ mine, theirs }) => mine !== theirs)
  if (isPending || changed.length === 0) return null
  return (
    <div className="changed" role="alert">
      <strong>{t('conflict')}</strong>
      <Versions differences={changed} mine={t('whenOpened')} theirs={t('now')} />
    </div>
  )
}

import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { pathIn, useCompanyId } from '../../app/company.tsx'
import { usePerson } from '../../app/session.tsx'
import { Button } from '../../kit/Button.tsx'
import { useNow } from '../../kit/useNow.ts'
import { RefusedTap, TapInWords, useRefusedTaps } from '../../taps/RefusedTaps.tsx'
import { tapStore } from '../../taps/tapStore.ts'
import { isTooLate, isWaiting, type Tap } from '../../taps/taps.ts'
import { useTaps } from '../../taps/useTaps.ts'
import { useTexts } from '../../texts/texts.ts'

/** Taps at the saw that have not become facts. */

/** Taps that the service has refused, until the person who made them takes them off the list. */
export function RefusedAtSaw() {
  const { t } = useTexts()
  const companyId = useCompanyId()
  const refusedTaps = useRefusedTaps().filter((tap) => tap.companyId === companyId)
  return (
    <TapsAtSaw title={t('tapsRefused')} taps={refusedTaps} isDone={() => true}>
      {(tap) => (
        <>
          <RefusedTap tap={tap} />
          <Link href={pathIn(companyId, `/saw?bar=${tap.barId}`)}>{t('saw')}</Link>
        </>
      )}
    </TapsAtSaw>
  )
}

/**
 * Taps of other people at this device that were not sent, for everyone in the company: somebody has to see that a bar
 * was cut although nothing says so. Taps that nobody can send any more stay until a person takes them off the list.
 */
export function UnsentAtSaw() {
  const { t } = useTexts()
  const { userId } = usePerson()
  const companyId = useCompanyId()
  const unsent = useTaps().filter(
    (tap) => isWaiting(tap) && tap.companyId === companyId && tap.userId !== userId,
  )
  const now = useNow()
  return (
    <TapsAtSaw title={t('tapsUnsent')} taps={unsent} isDone={(tap) => isTooLate(tap, now)}>
      {(tap) => (
        <>
          <TapInWords tap={tap} />
          <p className="muted">{t(isTooLate(tap, now) ? 'tapTooLate' : 'tapOfAnother')}</p>
          <Link href={pathIn(companyId, `/bars/${tap.barId}`)}>{t('bar')}</Link>
        </>
      )}
    </TapsAtSaw>
  )
}

interface TapsAtSawProps {
  readonly title: string
  readonly taps: readonly Tap[]
  /** Whether a person may take the tap off the list. */
  readonly isDone: (tap: Tap) => boolean
  readonly children: (tap: Tap) => ReactNode
}

function TapsAtSaw({ title, taps, isDone, children }: TapsAtSawProps) {
  const { t } = useTexts()
  if (taps.length === 0) return null
  return (
    <section className="need">
      <h2>{title}</h2>
      <ul className="lines">
        {taps.map((tap) => (
          <li key={tap.key}>
            <div>{children(tap)}</div>
            {isDone(tap) && (
              <span className="end">
                <Button onPress={() => tapStore.remove(tap.key)}>{t('done')}</Button>
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

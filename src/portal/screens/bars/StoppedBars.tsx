import { Link } from 'wouter'
import { toldIn } from '../../../domain/verdict/sentence.ts'
import type { StoppedBar } from '../../api/generated.ts'
import { pathIn, useCompanyId } from '../../app/company.tsx'
import { useBarName } from '../../kit/barName.ts'
import { useTexts } from '../../texts/texts.ts'

/** Bars of each status that are named. */
const shownBars = 20

/** The texts that say what a stop means for bars of each status, the most urgent first. */
const meanings = {
  Started: 'barsWouldStop',
  Approved: 'approvalsWouldFall',
  Draft: 'draftsNotApproved',
} as const

/** The bars that a change of the rules would stop, by status. */
export function StoppedBars({ bars }: { readonly bars: readonly StoppedBar[] }) {
  const { t, number, language } = useTexts()
  const companyId = useCompanyId()
  const nameOf = useBarName()
  if (bars.length === 0) return <p>{t('noBarsWouldStop')}</p>
  return Object.entries(meanings).map(([status, meaning]) => {
    const concerned = bars.filter((bar) => bar.status === status)
    if (concerned.length === 0) return null
    return (
      <section key={status}>
        <p>
          <strong>{t(meaning, { n: number(concerned.length) })}</strong>
        </p>
        <ul className="plainList">
          {concerned.slice(0, shownBars).map((bar) => (
            <li key={bar.barId}>
              <Link href={pathIn(companyId, `/bars/${bar.barId}`)}>{nameOf(bar)}</Link>:{' '}
              <span>{bar.findings.map((one) => toldIn(language, one)).join(' ')}</span>
            </li>
          ))}
        </ul>
      </section>
    )
  })
}

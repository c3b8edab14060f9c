import { useState } from 'react'
import { heatOfSteel } from '../../../domain/bars/heatOfSteel.ts'
import { serviceTime } from '../../api/client.ts'
import type { ListedProductionPlanBar } from '../../api/generated.ts'
import { useCompanyId } from '../../app/company.tsx'
import { useMay, useRoles } from '../../app/session.tsx'
import { BarMark } from '../../kit/BarMark.tsx'
import { Button } from '../../kit/Button.tsx'
import { useBarName } from '../../kit/barName.ts'
import { Mark } from '../../kit/Chip.tsx'
import { useNow, useOnline } from '../../kit/useNow.ts'
import { useIsFresh } from '../../kit/useRest.ts'
import { areJudged, findBlocking } from '../../kit/Verdict.tsx'
import type { Act } from '../../taps/taps.ts'
import { useTexts } from '../../texts/texts.ts'
import { lineOf, profileOf } from '../bars/barLines.ts'
import { revertTargets } from '../bars/barSteps.ts'
import { Findings } from '../bars/Findings.tsx'
import { MarkOfHeat } from '../bars/MarkOfHeat.tsx'
import { Reason } from '../bars/Reason.tsx'
import { glanceTexts, glanceTones } from './GlanceMark.tsx'
import { type Glance, glanceAt, mayBeCutNow, nextStepAt } from './glance.ts'
import { HeatOffers } from './HeatOffers.tsx'
import type { SawnBar } from './useSawBars.ts'

interface SawBarProps {
  readonly sawn: SawnBar
  /** The bar to cut after this one. */
  readonly next: ListedProductionPlanBar | undefined
  /** The last scan was of steel with another heat: nothing is started before the right one is scanned. */
  readonly isWrongHeat: boolean
  readonly onAct: (act: Act) => void
  readonly onSetHeat: () => void
  /** Show another bar, or all of them. */
  readonly onShow: (barId?: string) => void
}

/** One bar: whether it may be cut, what it is, and what to do next. */
export function SawBar({ sawn: { bar, readAtMs }, isWrongHeat, onAct, ...others }: SawBarProps) {
  const may = useMay(useCompanyId())
  const { t, number } = useTexts()
  const nameOf = useBarName()
  const ageMs = useNow() - readAtMs
  const glanceOfBar = glanceAt(bar, ageMs)
  const glance = isWrongHeat && mayBeCutNow(bar, ageMs) ? 'wrongHeat' : glanceOfBar
  const heat = heatOfSteel(bar)
  return (
    <>
      <Banner glance={glance} ageMs={ageMs} bar={bar} />
      <div className="sawBar">
        <h2>
          {nameOf(bar)} <BarMark status={bar.status} />{' '}
          {bar.stop && <Mark tone="bad">{t('piecesHeld')}</Mark>}
          {bar.markTransferred && <Mark tone="good">{t('markIsTransferred')}</Mark>}
        </h2>
        <p className="sawHeat">
          {heat === undefined ? t('noHeat') : `${t('heat')} ${heat}`}
          {bar.certificate?.manufacturer && <span className="muted"> {bar.certificate.manufacturer}</span>}
          {heat !== undefined && !bar.certificate && <Mark tone="warn">{t('noCertificateYet')}</Mark>}
        </p>
        {may('setBarCertificate') && (
          <HeatOffers bar={bar} onChoose={(chosen) => onAct({ kind: 'certificate', ...chosen })} />
        )}
        <p>
          <strong>{[profileOf(bar), bar.grade].filter(Boolean).join(' · ')}</strong> ·{' '}
          {number(bar.stockLengthMm)} mm
          <span className="muted"> · {bar.orders?.map(({ orderNumber }) => orderNumber).join(', ')}</span>
        </p>
        <Cuts bar={bar} />
      </div>
      <Steps {...{ bar, ageMs, isWrongHeat, onAct, ...others }} />
    </>
  )
}

interface BannerProps {
  readonly glance: Glance
  readonly ageMs: number
  readonly bar: ListedProductionPlanBar
}

const minuteMs = 60_000

/** The verdict, to be seen from two steps away, with its reasons. */
function Banner({ glance, ageMs, bar: { verdict } }: BannerProps) {
  const { t } = useTexts()
  const isOnline = useOnline()
  const findings = verdict?.findings ?? []
  const minutes = Math.max(0, Math.floor(ageMs / minuteMs))
  const isOld = minutes > 0 || !isOnline
  const isOver = glance === 'over'
  return (
    <div className={`sawBanner ${glanceTones[glance]}`} role={glance === 'stop' ? 'alert' : undefined}>
      <p className="sawGlance">{t(glanceTexts[glance])}</p>
      {glance === 'stop' && <p>{t('stopText')}</p>}
      {glance === 'old' && <p>{t('verdictOldText')}</p>}
      {glance === 'notKnown' && !areJudged(findings) && <p>{t('notAllJudged')}</p>}
      {!isOver && isOld && <p>{t('verdictAge', { n: minutes })}</p>}
      {glance === 'toBeLookedAt' && (
        <p>
          <Reason findings={findings} />
        </p>
      )}
      {!isOver && <Findings findings={findBlocking(findings)} />}
    </div>
  )
}

/** The accepted pieces, as many as there are of each length, mark, line and order. */
function Cuts({ bar }: { readonly bar: ListedProductionPlanBar }) {
  const { number } = useTexts()
  const accepted = bar.cuts.filter(({ status }) => status === 'Accepted')
  const orderOf = (orderId: string) => bar.orders?.find((one) => one.orderId === orderId)?.orderNumber
  const groups = Map.groupBy(accepted, (cut) => {
    const line = lineOf(bar, cut)
    const mark = cut.pieceMark ?? line?.pieceMark
    return [`${number(cut.lengthMm)} mm`, mark, line?.description, orderOf(cut.orderId)]
      .filter(Boolean)
      .join(' · ')
  })
  return (
    <ul className="sawCuts">
      {[...groups].map(([text, same]) => (
        <li key={text}>
          {number(same.length)} × {text}
        </li>
      ))}
    </ul>
  )
}

interface StepsProps extends Omit<SawBarProps, 'sawn'> {
  readonly bar: ListedProductionPlanBar
  readonly ageMs: number
}

/**
 * Milliseconds in which a second tap of a glove that bounces has no effect. The next step appears in the place of the
 * last one, and the first step of a chosen bar may appear where the bar was in the list.
 */
const restMs = 1_000

const stepOperations = { start: 'startProductionPlanBar', complete: 'completeProductionPlanBar' } as const

function Steps({ bar, next, ageMs, isWrongHeat, onAct, onSetHeat, onShow }: StepsProps) {
  const { t } = useTexts()
  const companyId = useCompanyId()
  const may = useMay(companyId)
  const roles = useRoles(companyId)
  const possible = nextStepAt(bar, ageMs)
  const [markTransferred, setMarkTransferred] = useState(false)
  const isOffered = possible && may(stepOperations[possible]) && !(possible === 'start' && isWrongHeat)
  const step = isOffered ? possible : undefined
  const following = bar.status === 'Completed' ? next : undefined
  const isResting = useIsFresh(`${bar.status}, ${step}, ${following?.barId}`, restMs)
  const [to] = may('revertProductionPlanBar') ? revertTargets(bar, roles, new Date(serviceTime())) : []
  const isBegun = bar.status === 'Started' || bar.status === 'Completed'
  const isOpen = bar.status !== 'Completed' && bar.status !== 'Cancelled'
  return (
    <div className="sawActions">
      {step === 'complete' && <MarkOfHeat isTransferred={markTransferred} onChange={setMarkTransferred} />}
      {step && (
        <Button
          kind="primary"
          isPending={isResting}
          onPress={() => onAct(step === 'complete' ? { kind: step, markTransferred } : { kind: step })}
        >
          {t(step)}
        </Button>
      )}
      {following && (
        <Button kind="primary" isPending={isResting} onPress={() => onShow(following.barId)}>
          <NextBar bar={following} />
        </Button>
      )}
      {isOpen && may('setBarCertificate') && <Button onPress={onSetHeat}>{t('setHeat')}</Button>}
      {isBegun && to && (
        <Button
          isPending={isResting}
          onPress={() => onAct({ kind: 'takeBack', to, reason: t('tappedByMistake') })}
        >
          {t('revert')}
        </Button>
      )}
      <Button onPress={() => onShow()}>{t('allBars')}</Button>
    </div>
  )
}

function NextBar({ bar }: Pick<StepsProps, 'bar'>) {
  const { t } = useTexts()
  const nameOf = useBarName()
  const heat = heatOfSteel(bar)
  return (
    <span>
      {t('nextBar', { bar: nameOf(bar) })}
      <br />
      {heat === undefined ? t('noHeat') : `${t('heat')} ${heat}`}
    </span>
  )
}

import { useEffect, useState } from 'react'
import { useSearchParams } from 'wouter'
import { heatOfSteel } from '../../../domain/bars/heatOfSteel.ts'
import { useCompanyId } from '../../app/company.tsx'
import { useMay } from '../../app/session.tsx'
import { Button } from '../../kit/Button.tsx'
import { useBarName } from '../../kit/barName.ts'
import { Failure, Loading } from '../../kit/Notice.tsx'
import { Page } from '../../kit/Page.tsx'
import { useOfflineFiles } from '../../offline/useOfflineFiles.ts'
import type { Act } from '../../taps/taps.ts'
import { useTap } from '../../taps/useTaps.ts'
import { useTexts } from '../../texts/texts.ts'
import { nextAfter } from '../bars/workOrder.ts'
import { BarChoice } from './BarChoice.tsx'
import { Connection } from './Connection.tsx'
import { HeatChoice } from './HeatChoice.tsx'
import { SawBar } from './SawBar.tsx'
import { ScanField } from './ScanField.tsx'
import { readScan } from './scan.ts'
import { type SawnBar, useSawBars } from './useSawBars.ts'
import { WaitingTaps } from './WaitingTaps.tsx'

/** The saw: one bar at a time on a tablet, for people with gloves. */
export function SawScreen() {
  const { t } = useTexts()
  const nameOf = useBarName()
  const companyId = useCompanyId()
  const maySetHeat = useMay(companyId)('setBarCertificate')
  const tap = useTap()
  useOfflineFiles()
  const [search, setSearch] = useSearchParams()
  const barId = search.get('bar') ?? undefined
  /** The plan that is sawn here. A scan finds the bars of all plans. */
  const planId = search.get('plan') ?? undefined
  const sawn = useSawBars(barId)
  const { bars, open } = sawn
  const [asksHeat, setAsksHeat] = useState(false)
  /** The ids of the bars that the last scan has found. */
  const [found, setFound] = useState<readonly string[]>()
  const [told, setTold] = useState<ScanAnswer>()
  /** The code that was scanned before the bars were read. */
  const [early, setEarly] = useState<string>()

  const show = (shown?: string) => {
    setSearch({ ...(planId !== undefined && { plan: planId }), ...(shown !== undefined && { bar: shown }) })
    setAsksHeat(false)
    setFound(undefined)
    setTold(undefined)
    setEarly(undefined)
    // The verdict stands at the top.
    scrollTo(0, 0)
  }
  const act = ({ bar }: SawnBar, done: Act) => {
    const { barId, revision } = bar
    tap({ companyId, barId, revision, barName: nameOf(bar) }, done)
    setAsksHeat(false)
    setTold(undefined)
  }
  const scan = (text: string) => {
    const listed = bars.map(({ bar }) => bar)
    const meant = readScan(text, listed, open?.bar, { maySet: maySetHeat, isAsked: asksHeat })
    if (meant.kind === 'bar') return show(meant.barId)
    // Other bars may have this heat. Steel for an open bar is compared at once.
    if (!open && !sawn.isComplete) return setEarly(text)
    if (meant.kind === 'bars') {
      const [first, second] = meant.barIds
      show(second === undefined ? first : undefined)
      if (second !== undefined) setFound(meant.barIds)
      return
    }
    if (meant.kind === 'setHeat') {
      act(open!, { kind: 'heat', heatNumber: meant.heatNumber })
      return setTold({ tone: 'good', text: t('heatRead', { heat: meant.heatNumber }) })
    }
    if (meant.kind === 'nearBars') {
      show()
      setFound(meant.barIds)
      return setTold({ tone: 'bad', text: t('heatNear', { text }) })
    }
    if (meant.kind === 'nearHeat') {
      const { heatNumber: near } = meant
      return setTold({ tone: 'bad', text: t('heatNearOfBar', { heat: near, text }), isWrongHeat: true, near })
    }
    if (meant.kind === 'sameHeat' && maySetHeat && isHeatUnread(open!.bar)) {
      act(open!, { kind: 'heat', heatNumber: text.trim() })
      return setTold({ tone: 'good', text: t('heatRead', { heat: text }) })
    }
    if (meant.kind === 'sameHeat') return setTold({ tone: 'good', text: t('heatMatches', { heat: text }) })
    const heat = open && heatOfSteel(open.bar)
    setTold({
      tone: 'bad',
      text: heat ? t('heatDiffers', { heat, text }) : t('scanUnknown', { text }),
      isWrongHeat: heat !== undefined,
    })
  }
  useEffect(() => {
    if (early === undefined || !sawn.isComplete) return
    setEarly(undefined)
    scan(early)
  })
  return (
    <Page title={t('saw')}>
      <div className="saw">
        <ScanField label={t(asksHeat ? 'scanHeat' : 'scan')} onScan={scan} />
        <p role="status" className={told && `sawTold ${told.tone}`}>
          {told?.text}
        </p>
        {told?.near !== undefined && (
          <div className="sawActions">
            <Button kind="primary" onPress={() => scan(told.near!)}>
              {t('heatIs', { heat: told.near })}
            </Button>
          </div>
        )}
        <Connection {...sawn} />
        {sawn.isMissing && <p className="sawTold bad">{t('scanUnknown', { text: barId ?? '' })}</p>}
        {open && asksHeat && (
          <HeatChoice
            barId={open.bar.barId}
            onChoose={(chosen) => act(open, { kind: 'certificate', ...chosen })}
            onClose={() => setAsksHeat(false)}
          />
        )}
        {open && !asksHeat && (
          <SawBar
            key={open.bar.barId}
            sawn={open}
            next={nextAfter(
              open.bar,
              bars.map(({ bar }) => bar),
            )}
            isWrongHeat={told?.isWrongHeat ?? false}
            onAct={(done) => act(open, done)}
            onSetHeat={() => setAsksHeat(true)}
            onShow={show}
          />
        )}
        {barId !== undefined && !open && !sawn.isMissing && <Loading lines={3} />}
        {(barId === undefined || sawn.isMissing) && (
          <Choice {...{ sawn, found, planId }} onShow={show} onAll={() => setSearch({})} />
        )}
        <WaitingTaps />
      </div>
    </Page>
  )
}

/** Whether somebody has to read the heat off the steel before the bar is started. */
function isHeatUnread({ verdict }: SawnBar['bar']): boolean {
  return verdict?.findings.some(({ code }) => code === 'heat-unread') ?? false
}

/** The saw's answer to the last scan. */
interface ScanAnswer {
  readonly tone: 'good' | 'bad'
  readonly text: string
  readonly isWrongHeat?: boolean
  /** The heat of the open bar, which people take for the scanned one. */
  readonly near?: string
}

interface ChoiceProps {
  readonly sawn: ReturnType<typeof useSawBars>
  readonly found: readonly string[] | undefined
  readonly planId: string | undefined
  readonly onShow: (barId?: string) => void
  readonly onAll: () => void
}

function Choice({ sawn: { bars, isRead, error }, found, planId, onShow, onAll }: ChoiceProps) {
  if (!isRead) return error ? <Failure error={error} /> : <Loading lines={3} />
  if (found)
    return (
      <BarChoice isFound bars={bars.filter(({ bar }) => found.includes(bar.barId))} {...{ onShow, onAll }} />
    )
  if (planId === undefined) return <BarChoice {...{ bars, onShow, onAll }} />
  const ofPlan = bars.filter(({ bar }) => bar.planId === planId)
  return <BarChoice bars={ofPlan} planName={ofPlan[0]?.bar.planName ?? ''} {...{ onShow, onAll }} />
}

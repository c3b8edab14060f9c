import { useSearchParams } from 'wouter'
import { Button } from '../../kit/Button.tsx'
import { Failure, Loading } from '../../kit/Notice.tsx'
import { Page } from '../../kit/Page.tsx'
import { useOfflineFiles } from '../../offline/useOfflineFiles.ts'
import { useTexts } from '../../texts/texts.ts'
import { nextAfter } from '../bars/workOrder.ts'
import { BarChoice } from './BarChoice.tsx'
import { Connection } from './Connection.tsx'
import { HeatChoice } from './HeatChoice.tsx'
import { SawBar } from './SawBar.tsx'
import { ScanField } from './ScanField.tsx'
import { useSaw } from './useSaw.ts'
import type { useSawBars } from './useSawBars.ts'
import { WaitingTaps } from './WaitingTaps.tsx'

/** The saw: one bar at a time on a tablet, for people with gloves. */
export function SawScreen() {
  const { t } = useTexts()
  const [, setSearch] = useSearchParams()
  const saw = useSaw()
  const { barId, planId, sawn, asksHeat, found, scan, show } = saw
  useOfflineFiles()
  return (
    <Page title={t('saw')}>
      <div className="saw">
        <ScanField label={t(asksHeat ? 'scanHeat' : 'scan')} onScan={scan} />
        <ScanAnswer {...saw} />
        <Connection {...sawn} />
        {sawn.isMissing && <p className="sawTold bad">{t('scanUnknown', { text: barId ?? '' })}</p>}
        <OpenBar {...saw} />
        {barId !== undefined && !sawn.open && !sawn.isMissing && <Loading lines={3} />}
        {(barId === undefined || sawn.isMissing) && (
          <Choice {...{ sawn, found, planId }} onShow={show} onAll={() => setSearch({})} />
        )}
        <WaitingTaps />
      </div>
    </Page>
  )
}

type Saw = ReturnType<typeof useSaw>

function ScanAnswer({ answer, scan }: Pick<Saw, 'answer' | 'scan'>) {
  const { t } = useTexts()
  return (
    <>
      <p role="status" className={answer && `sawTold ${answer.tone}`}>
        {answer?.text}
      </p>
      {answer?.near !== undefined && (
        <div className="sawActions">
          <Button kind="primary" onPress={() => scan(answer.near!)}>
            {t('heatIs', { heat: answer.near })}
          </Button>
        </div>
      )}
    </>
  )
}

function OpenBar({ sawn: { open, bars }, asksHeat, setAsksHeat, answer, act, show }: Saw) {
  if (!open) return null
  const { barId } = open.bar
  if (asksHeat)
    return (
      <HeatChoice
        barId={barId}
        onChoose={(chosen) => act(open, { kind: 'certificate', ...chosen })}
        onClose={() => setAsksHeat(false)}
      />
    )
  return (
    <SawBar
      key={barId}
      sawn={open}
      next={nextAfter(
        open.bar,
        bars.map(({ bar }) => bar),
      )}
      isWrongHeat={answer?.isWrongHeat ?? false}
      onAct={(action) => act(open, action)}
      onSetHeat={() => setAsksHeat(true)}
      onShow={show}
    />
  )
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

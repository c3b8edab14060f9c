import { useState } from 'react'
import { heatOfSteel } from '../../../domain/bars/heatOfSteel.ts'
import { BarMark } from '../../kit/BarMark.tsx'
import { Button } from '../../kit/Button.tsx'
import { useBarName } from '../../kit/barName.ts'
import { useNow } from '../../kit/useNow.ts'
import { useTexts } from '../../texts/texts.ts'
import { profileOf } from '../bars/barLines.ts'
import { byWork } from '../bars/workOrder.ts'
import { GlanceMark } from './GlanceMark.tsx'
import { glanceAt } from './glance.ts'
import type { SawnBar } from './useSawBars.ts'

interface BarChoiceProps {
  readonly bars: readonly SawnBar[]
  /** The bars are those that a scan has found. */
  readonly isFound?: boolean
  /** The bars are those of this plan. */
  readonly planName?: string | undefined
  readonly onShow: (barId?: string) => void
  /** Show the bars of all plans. */
  readonly onAll: () => void
}

const drawnAtFirst = 20

/** The bars that can be sawn, in the order of work. */
export function BarChoice({ bars, isFound = false, planName, onShow, onAll }: BarChoiceProps) {
  const { t } = useTexts()
  const now = useNow()
  const [drawn, setDrawn] = useState(drawnAtFirst)
  const sortedBars = bars.toSorted((one, other) => byWork(one.bar, other.bar))
  return (
    <>
      <h2>{planName || t(isFound ? 'barsFound' : 'barsToSaw')}</h2>
      {bars.length === 0 && <p className="muted">{t('noBarsHere')}</p>}
      <ul className="sawChoice">
        {sortedBars.slice(0, drawn).map((sawn) => (
          <li key={sawn.bar.barId}>
            <Choice sawn={sawn} now={now} onShow={onShow} />
          </li>
        ))}
      </ul>
      <div className="sawActions">
        {sortedBars.length > drawn && (
          <Button onPress={() => setDrawn(drawn + drawnAtFirst)}>{t('more')}</Button>
        )}
        {(isFound || planName !== undefined) && (
          <Button onPress={isFound ? () => onShow() : onAll}>{t('allBars')}</Button>
        )}
      </div>
    </>
  )
}

interface ChoiceProps extends Pick<BarChoiceProps, 'onShow'> {
  readonly sawn: SawnBar
  readonly now: number
}

function Choice({ sawn: { bar, readAtMs }, now, onShow }: ChoiceProps) {
  const { t } = useTexts()
  const nameOf = useBarName()
  const heat = heatOfSteel(bar)
  return (
    <Button onPress={() => onShow(bar.barId)}>
      <GlanceMark glance={glanceAt(bar, now - readAtMs)} />
      <strong>{nameOf(bar)}</strong>
      <strong>{heat === undefined ? t('noHeat') : `${t('heat')} ${heat}`}</strong>
      <span>{[profileOf(bar), bar.grade].filter(Boolean).join(' · ')}</span>
      <span className="muted">{bar.orders?.map(({ orderNumber }) => orderNumber).join(', ')}</span>
      <BarMark status={bar.status} />
    </Button>
  )
}

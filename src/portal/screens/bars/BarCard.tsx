import { useRef, useState } from 'react'
import { Link } from 'wouter'
import type { ListedProductionPlanBar } from '../../api/generated.ts'
import { pathIn, useCompanyId } from '../../app/company.tsx'
import { useMay } from '../../app/session.tsx'
import { BarMark } from '../../kit/BarMark.tsx'
import { Button } from '../../kit/Button.tsx'
import { useBarName } from '../../kit/barName.ts'
import { Mark, TagChips } from '../../kit/Chip.tsx'
import { useIsFresh, usePlace } from '../../kit/useRest.ts'
import { BarVerdict, findBlocking } from '../../kit/Verdict.tsx'
import { useTexts } from '../../texts/texts.ts'
import { useAsk } from './ask.ts'
import { BarActions } from './BarActions.tsx'
import { profileOf } from './barLines.ts'
import { usePieces } from './barPieces.ts'
import { Findings } from './Findings.tsx'
import { NextStep } from './NextStep.tsx'
import { Override } from './Override.tsx'
import { Reason } from './Reason.tsx'

interface BarCardProps {
  readonly bar: ListedProductionPlanBar
  readonly isWanted?: boolean
}

/** Milliseconds within which systems usually take two taps for a double tap. */
const restMs = 500

/** A bar on the board: its verdict, its steel, its orders and its next step. */
export function BarCard({ bar, isWanted = false }: BarCardProps) {
  const { t, number, date } = useTexts()
  const companyId = useCompanyId()
  const nameOf = useBarName()
  const piecesOf = usePieces()
  const { barId, grade, stockLengthMm, remnantMm } = bar
  const { certificate, orders, verdict } = bar
  const ask = useAsk()
  const card = useRef<HTMLLIElement>(null)
  const isResting = useIsFresh(`${bar.status} ${usePlace(card)}`, restMs)
  return (
    <li
      ref={card}
      className={isWanted ? 'boardCard wanted' : 'boardCard'}
      aria-current={isWanted || undefined}
    >
      {verdict !== undefined && bar.status !== 'Completed' && bar.status !== 'Cancelled' && (
        <Verdict bar={bar} verdict={verdict} />
      )}
      <div className="boardTitle">
        <h3>
          <Link href={pathIn(companyId, `/bars/${barId}`)} className="rowLink">
            {nameOf(bar)}
          </Link>
        </h3>
        <BarActions bar={bar} />
      </div>
      {bar.stop && <Stopped bar={bar} {...bar.stop} />}
      {(isWanted || bar.status === 'Cancelled') && <BarMark status={bar.status} />}
      <p className="muted small">
        <strong>{[profileOf(bar), grade].filter(Boolean).join(' · ')}</strong> · {number(stockLengthMm)} mm ·{' '}
        {piecesOf(bar) || t('noCuts')} · {t('remnant')} {number(remnantMm)} mm
      </p>
      {certificate ? <Heat {...certificate} /> : <NoCertificate heatRead={bar.heatRead} />}
      <p className="chips">
        {orders?.map(({ orderId, orderNumber, dueDate }) => (
          <span key={orderId}>
            <Link href={pathIn(companyId, `/orders/${orderId}`)}>{orderNumber}</Link>{' '}
            {dueDate !== null && <span className="muted">{t('dueOn', { day: date(dueDate) })}</span>}
          </span>
        ))}
      </p>
      <NextStep bar={bar} isResting={isResting} />
      {isWanted && <Button onPress={() => ask({ bar, about: 'whole' })}>{t('wholeBar')}</Button>}
    </li>
  )
}

type StoppedProps = Pick<BarCardProps, 'bar'> & NonNullable<ListedProductionPlanBar['stop']>

/** Say that the pieces are held, and offer Quality to decide on them. */
function Stopped({ bar, reason, findings }: StoppedProps) {
  const { t } = useTexts()
  return (
    <>
      <div className="chips">
        <Mark tone="bad">{t('piecesHeld')}</Mark>
      </div>
      {reason !== null && <p>{reason}</p>}
      <Findings findings={findings} />
      <div className="actions">
        <Override bar={bar} findings={findings} />
      </div>
    </>
  )
}

function Heat({
  millCertificationId,
  heatNumber,
  tags,
  blocked,
}: NonNullable<ListedProductionPlanBar['certificate']>) {
  const { t } = useTexts()
  const companyId = useCompanyId()
  return (
    <div className="chips">
      <Link href={pathIn(companyId, `/certificates/${millCertificationId}`)}>
        {t('heat')} {heatNumber}
      </Link>
      {blocked && <Mark tone="bad">{t('blocked')}</Mark>}
      {tags.length > 0 && <TagChips tags={tags} />}
    </div>
  )
}

/** Say which heat was read off the steel, if its certificate has not arrived. */
function NoCertificate({ heatRead }: Pick<ListedProductionPlanBar, 'heatRead'>) {
  const { t } = useTexts()
  return (
    <Mark tone="warn">
      {heatRead === null ? t('noHeat') : t('heatWithoutCertificate', { heat: heatRead.heatNumber })}
    </Mark>
  )
}

interface VerdictProps {
  readonly bar: ListedProductionPlanBar
  readonly verdict: Exclude<ListedProductionPlanBar['verdict'], undefined>
}

/** Say whether the bar may be cut, what speaks against it, and what to do. */
function Verdict({ bar, verdict }: VerdictProps) {
  const findings = verdict?.findings ?? []
  const { t } = useTexts()
  const may = useMay(useCompanyId())
  const ask = useAsk()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <div className="chips">
        <BarVerdict {...bar} />
        {bar.withdrawal && <Mark tone="bad">{t('approvalWithdrawn')}</Mark>}
      </div>
      <Reason findings={findings} />
      {findings.length > 0 && (
        <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
          <summary>{t('findings', { n: findings.length })}</summary>
          <Findings findings={findings} hasEvidence={isOpen} />
          <div className="actions">
            {may('setBarCertificate') && (
              <Button onPress={() => ask({ bar, about: 'heat' })}>{t('setHeat')}</Button>
            )}
            <Override bar={bar} findings={findBlocking(findings)} />
          </div>
        </details>
      )}
    </>
  )
}

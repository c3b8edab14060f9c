import { Link } from 'wouter'
import { wordIn } from '../../../domain/verdict/sentence.ts'
import type { ListedProductionPlanBar } from '../../api/generated.ts'
import { pathIn, useCompanyId } from '../../app/company.tsx'
import { BarMark } from '../../kit/BarMark.tsx'
import { useBarName } from '../../kit/barName.ts'
import { Mark } from '../../kit/Chip.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { Facts } from '../../kit/Page.tsx'
import { BarVerdict, findBlocking } from '../../kit/Verdict.tsx'
import { useTexts } from '../../texts/texts.ts'
import { RecordHistory } from '../tags/subjects/RecordHistory.tsx'
import { AskContext, useAsk } from './ask.ts'
import { BarActions } from './BarActions.tsx'
import { lineOf, profileOf } from './barLines.ts'
import { CutDiagram } from './CutDiagram.tsx'
import { Findings } from './Findings.tsx'
import { NextStep } from './NextStep.tsx'
import { Override } from './Override.tsx'

interface WholeBarProps {
  readonly bar: ListedProductionPlanBar
  readonly onClose: () => void
}

/** Everything about one bar: its state and verdict with the reasons, its steel and cuts, its next steps and its history. */
export function WholeBar({ bar, onClose }: WholeBarProps) {
  const { t, number } = useTexts()
  const companyId = useCompanyId()
  const ask = useAsk()
  const nameOf = useBarName()
  const { certificate, heatRead, stockLengthMm } = bar
  const findings = bar.stop?.findings ?? bar.verdict?.findings ?? []
  return (
    <Dialog title={nameOf(bar)} onClose={onClose} shape="panel">
      {/* A dialog that is asked for here takes the place of this one. */}
      <AskContext
        value={(request) => {
          ask(request)
          onClose()
        }}
      >
        <div className="dialogBody">
          <span className="chips">
            <BarMark status={bar.status} />
            <BarVerdict {...bar} />
            {bar.withdrawal && <Mark tone="bad">{t('approvalWithdrawn')}</Mark>}
            {bar.stop && <Mark tone="bad">{t('piecesHeld')}</Mark>}
          </span>
          {bar.stop?.reason && <p>{bar.stop.reason}</p>}
          <Findings findings={findings} hasEvidence />
          <div className="actions">
            <NextStep bar={bar} isResting={false} />
            <Override bar={bar} findings={findBlocking(findings)} />
            <BarActions bar={bar} />
          </div>
          <Facts
            facts={[
              {
                name: t('heat'),
                value: certificate ? (
                  <Link href={pathIn(companyId, `/certificates/${certificate.millCertificationId}`)}>
                    {certificate.heatNumber} · {certificate.certificateNumber}
                  </Link>
                ) : (
                  (heatRead?.heatNumber ?? t('noHeat'))
                ),
              },
              { name: t('manufacturer'), value: certificate?.manufacturer },
              { name: t('profile'), value: profileOf(bar) },
              { name: t('grade'), value: bar.grade },
              { name: t('stockLength'), value: `${number(stockLengthMm)} mm` },
              { name: t('remnant'), value: `${number(bar.remnantMm)} mm` },
            ]}
          />
          <CutDiagram bar={bar} longestMm={stockLengthMm} />
          <Cuts {...bar} />
          <RecordHistory of="bar" id={bar.barId} />
        </div>
      </AskContext>
    </Dialog>
  )
}

/** The cuts, each with its piece, its length, its order and its status. */
function Cuts({ cuts, orders = [] }: ListedProductionPlanBar) {
  const { t, number, language } = useTexts()
  const companyId = useCompanyId()
  const orderOf = (orderId: string) => orders.find((one) => one.orderId === orderId)?.orderNumber
  return (
    <ul className="lines">
      {cuts.map((cut) => {
        const { cutId, orderId, lengthMm, status } = cut
        const line = lineOf({ orders }, cut)
        return (
          <li key={cutId}>
            <strong>
              {[cut.pieceMark ?? line?.pieceMark, line?.description].filter(Boolean).join(' ') || t('piece')}
            </strong>
            <span>{[line?.profile, `${number(lengthMm)} mm`].filter(Boolean).join(' · ')}</span>
            <Link href={pathIn(companyId, `/orders/${orderId}`)}>{orderOf(orderId) ?? t('order')}</Link>
            <span className="muted">
              {line && `${t('line', { n: number(line.lineNumber) })} · `}
              {wordIn(language, status)}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

import { useState } from 'react'
import type { LineItem, Traceability } from '../../api/generated.ts'
import { useList } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'
import { useMay } from '../../app/session.tsx'
import { Button } from '../../kit/Button.tsx'
import { Failure, Loading } from '../../kit/Notice.tsx'
import { Section } from '../../kit/Page.tsx'
import { useTexts } from '../../texts/texts.ts'
import { NewDispatch } from './NewDispatch.tsx'
import { piecesOf, piecesToLeave } from './pieces.ts'

interface DispatchesProps {
  readonly lineItems: readonly LineItem[]
  readonly traced: Traceability
}

/** The pieces of an order that have left the workshop, and the way to let more leave. */
export function Dispatches({ lineItems, traced }: DispatchesProps) {
  const { t, number, date } = useTexts()
  const companyId = useCompanyId()
  const may = useMay(companyId)
  const { orderId } = traced
  const { rows, error } = useList('listDispatches', { params: { companyId, orderId } })
  const [isOpen, setIsOpen] = useState(false)
  const pieces = rows && piecesToLeave(traced, rows, lineItems)
  const held = piecesOf(traced).filter((piece) => piece.held).length
  return (
    <Section
      title={t('dispatches')}
      actions={
        may('dispatchPieces') &&
        pieces &&
        pieces.length > 0 && <Button onPress={() => setIsOpen(true)}>{t('dispatchPieces')}</Button>
      }
    >
      {!rows && (error ? <Failure error={error} /> : <Loading lines={2} />)}
      {rows?.length === 0 && <p className="muted">{t('noDispatches')}</p>}
      {rows && rows.length > 0 && (
        <ul className="lines">
          {rows.map(({ dispatchId, reference, cuts, override, date: day }) => (
            <li key={dispatchId}>
              <strong>{reference}</strong>
              <span className="muted">{date(day)}</span>
              <span>{t('pieceCount', { n: number(cuts.length) })}</span>
              {override && <span className="muted">{t('overridden', { reason: override.reason })}</span>}
            </li>
          ))}
        </ul>
      )}
      {pieces && (
        <p className="muted small">
          {t('piecesReady', { n: number(pieces.length) })}
          {held > 0 && ` · ${t('piecesHeld')}: ${number(held)}`}
        </p>
      )}
      {isOpen && pieces && <NewDispatch orderId={orderId} pieces={pieces} onClose={() => setIsOpen(false)} />}
    </Section>
  )
}

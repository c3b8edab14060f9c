import { Link } from 'wouter'
import type { Recall } from '../../api/generated.ts'
import { useRecord } from '../../api/queries.ts'
import { pathIn, useCompanyId } from '../../app/company.tsx'
import { BarMark } from '../../kit/BarMark.tsx'
import { useBarName } from '../../kit/barName.ts'
import { Mark, type Tone } from '../../kit/Chip.tsx'
import { Failure, Loading } from '../../kit/Notice.tsx'
import { Section } from '../../kit/Page.tsx'
import { type TextName, useTexts } from '../../texts/texts.ts'
import { HeatText } from '../bars/HeatText.tsx'

type RecalledBar = Recall['bars'][number]
type Piece = RecalledBar['cuts'][number]

/** Where all steel of a heat is, whatever certificate it came with: its orders, their bars, and the pieces of these. */
export function RecallTree({ heatNumber }: { readonly heatNumber: string }) {
  const { t, number } = useTexts()
  const params = { companyId: useCompanyId() }
  const { data, error } = useRecord('getRecall', { params, query: { heatNumber } })
  const recall = data?.data
  const pieces = recall?.bars.flatMap(({ cuts }) => cuts) ?? []
  return (
    <Section title={t('recall')}>
      {!recall && (error ? <Failure error={error} /> : <Loading lines={2} />)}
      {recall?.similarHeats.map((one) => (
        <p key={Object.values(one).join()}>
          <HeatText of={one} isLike />{' '}
          <Link href={pathIn(params.companyId, `/certificates?search=${encodeURIComponent(one.heatNumber)}`)}>
            {t('search')}
          </Link>
        </p>
      ))}
      {recall && recall.deliveries.length > 0 && (
        <p>
          {t('deliveries')}:{' '}
          {recall.deliveries
            .map(({ deliveryNote, supplier, pieces }) =>
              [deliveryNote, supplier, t('pieceCount', { n: number(pieces) })].filter(Boolean).join(' · '),
            )
            .join('; ')}
        </p>
      )}
      {recall && pieces.length === 0 && <p className="muted">{t('noPieces')}</p>}
      {recall && pieces.length > 0 && (
        <details className="tree" open>
          <summary>
            {t('heat')} {heatNumber} {recall.certificates.flatMap((one) => one.manufacturer ?? []).join(', ')}{' '}
            <States pieces={pieces} />
          </summary>
          <ul>
            {recall.orders.map((order) => (
              <OrderBranch key={order.orderId} order={order} bars={recall.bars} />
            ))}
          </ul>
        </details>
      )}
    </Section>
  )
}

interface OrderBranchProps {
  readonly order: Recall['orders'][number]
  readonly bars: readonly RecalledBar[]
}

function OrderBranch({ order: { orderId, orderNumber }, bars }: OrderBranchProps) {
  const companyId = useCompanyId()
  const ofOrder = bars
    .map((bar) => ({ ...bar, cuts: bar.cuts.filter((cut) => cut.orderId === orderId) }))
    .filter(({ cuts }) => cuts.length > 0)
  return (
    <li>
      <details>
        <summary>
          {orderNumber} <States pieces={ofOrder.flatMap(({ cuts }) => cuts)} />
        </summary>
        <p>
          <Link href={pathIn(companyId, `/orders/${orderId}`)}>{orderNumber}</Link>
        </p>
        <ul>
          {ofOrder.map((bar) => (
            <BarBranch key={bar.barId} bar={bar} />
          ))}
        </ul>
      </details>
    </li>
  )
}

function BarBranch({ bar }: { readonly bar: RecalledBar }) {
  const { barId, status, cuts } = bar
  const { t, number } = useTexts()
  const nameOf = useBarName()
  const companyId = useCompanyId()
  return (
    <li>
      <Link href={pathIn(companyId, `/bars/${barId}`)}>{nameOf(bar)}</Link> <BarMark status={status} />
      <ul>
        {cuts.map((piece) => (
          <li key={piece.cutId}>
            {[piece.pieceMark, `${number(piece.lengthMm)} mm`].filter(Boolean).join(' · ')}{' '}
            <Mark tone={stateTones[piece.state]}>{t(stateTexts[piece.state])}</Mark>
          </li>
        ))}
      </ul>
    </li>
  )
}

const stateTexts = {
  dispatched: 'pieceDispatched',
  cut: 'pieceCut',
  planned: 'piecePlanned',
  scrapped: 'pieceIsScrap',
} as const satisfies Record<Piece['state'], TextName>

const stateTones: Readonly<Record<Piece['state'], Tone>> = {
  dispatched: 'bad',
  cut: 'warn',
  planned: 'calm',
  scrapped: 'calm',
}

/** Count the pieces of each state; those that have left come first. */
function States({ pieces }: { readonly pieces: readonly Piece[] }) {
  const { t, number } = useTexts()
  const states = (Object.keys(stateTexts) as Piece['state'][])
    .map((state) => ({ state, count: pieces.filter((piece) => piece.state === state).length }))
    .filter(({ count }) => count > 0)
  return states.map(({ state, count }) => (
    <Mark key={state} tone={stateTones[state]}>
      {number(count)} × {t(stateTexts[state])}
    </Mark>
  ))
}

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

/** A heat, or a piece or delivery whose heats are recalled. */
export type Recalled =
  | { readonly heatNumber: string }
  | { readonly pieceMark: string }
  | { readonly deliveryNote: string }

/** Where all steel of a heat is, whatever certificate it came with: its bars, and the pieces of each with their orders. */
export function RecallTree({ of }: { readonly of: Recalled }) {
  const { t, number } = useTexts()
  const params = { companyId: useCompanyId() }
  const { data, error } = useRecord('getRecall', { params, query: of })
  const recall = data?.data
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
      {recall?.bars.length === 0 && (
        <p className="muted">{t(isKnownTo(recall) ? 'noPieces' : 'recallUnknown')}</p>
      )}
      {recall && recall.bars.length > 0 && (
        <details className="tree" open>
          <summary>
            {t('heat')} {heatsOf(recall, of).join(', ')} {makersOf(recall).join(', ')}{' '}
            <States pieces={recall.bars.flatMap(({ cuts }) => cuts)} />
          </summary>
          <ul>
            {recall.bars.map((bar) => (
              <BarBranch key={bar.barId} bar={bar} orders={recall.orders} />
            ))}
          </ul>
        </details>
      )}
    </Section>
  )
}

/** Whether a record names the heat, piece or delivery note. */
function isKnownTo({ certificates, deliveries }: Recall): boolean {
  return certificates.length > 0 || deliveries.length > 0
}

function heatsOf({ certificates }: Recall, of: Recalled): readonly string[] {
  return 'heatNumber' in of ? [of.heatNumber] : [...new Set(certificates.map(({ heatNumber }) => heatNumber))]
}

function makersOf({ certificates }: Recall): readonly string[] {
  return [...new Set(certificates.flatMap(({ manufacturer }) => manufacturer ?? []))]
}

interface BarBranchProps {
  readonly bar: RecalledBar
  readonly orders: Recall['orders']
}

function BarBranch({ bar, orders }: BarBranchProps) {
  const { barId, status, cuts } = bar
  const { t } = useTexts()
  const nameOf = useBarName()
  const companyId = useCompanyId()
  return (
    <li>
      <details>
        <summary>
          {nameOf(bar)} <BarMark status={status} /> <States pieces={cuts} />
        </summary>
        <p>
          <Link href={pathIn(companyId, `/bars/${barId}`)}>{nameOf(bar)}</Link>
          {cuts.length === 0 && <span className="muted"> {t('noPieceOnBar')}</span>}
        </p>
        <ul>
          {cuts.map((piece) => (
            <PieceLeaf key={piece.cutId} piece={piece} orders={orders} />
          ))}
        </ul>
      </details>
    </li>
  )
}

function PieceLeaf({ piece, orders }: Pick<BarBranchProps, 'orders'> & { readonly piece: Piece }) {
  const { t, number } = useTexts()
  const companyId = useCompanyId()
  const { pieceMark, lengthMm, orderId, state } = piece
  return (
    <li>
      {[pieceMark, `${number(lengthMm)} mm`].filter(Boolean).join(' · ')}{' '}
      <Link href={pathIn(companyId, `/orders/${orderId}`)}>
        {orders.find((order) => order.orderId === orderId)?.orderNumber}
      </Link>{' '}
      <Mark tone={stateTones[state]}>{t(stateTexts[state])}</Mark>
    </li>
  )
}

const stateTexts = {
  dispatched: 'pieceDispatched',
  cut: 'pieceCut',
  planned: 'piecePlanned',
  proposed: 'pieceProposed',
  scrapped: 'pieceIsScrap',
} as const satisfies Record<Piece['state'], TextName>

const stateTones: Readonly<Record<Piece['state'], Tone>> = {
  dispatched: 'bad',
  cut: 'warn',
  planned: 'calm',
  proposed: 'calm',
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

import { nearKey, normalise } from '../../../domain/kernel/spellings.ts'
import type { Certificate, Delivery, ListedProductionPlanBar, Order } from '../../api/generated.ts'

/** The finds of a search are links, in the order in which they are shown. */

export interface Found {
  readonly certificates: readonly Pick<
    Certificate,
    'millCertificationId' | 'certificateNumber' | 'heatNumber' | 'grade' | 'manufacturer'
  >[]
  readonly orders: readonly Pick<Order, 'orderId' | 'orderNumber' | 'customer'>[]
  readonly bars: readonly (Pick<
    ListedProductionPlanBar,
    'barId' | 'planId' | 'planName' | 'ordinal' | 'grade' | 'profile'
  > & {
    readonly cuts: readonly { readonly pieceMark: string | null }[]
  })[]
  readonly deliveries: readonly Pick<Delivery, 'deliveryNote' | 'supplier' | 'date'>[]
}

export interface Hit {
  readonly kind: 'certificate' | 'order' | 'plan' | 'bar' | 'deliveryNote' | 'recall'
  /** Below the company. */
  readonly path: string
  readonly text: string
  readonly more: readonly (string | null | undefined)[]
}

/** The steel that the text names comes after the records, because a recall reads much. */
export function hitsOf(text: string, found: Found): readonly Hit[] {
  return [
    ...found.certificates.map(
      ({ millCertificationId, certificateNumber, heatNumber, grade, manufacturer }): Hit => ({
        kind: 'certificate',
        path: `/certificates/${millCertificationId}`,
        text: `${certificateNumber} · ${heatNumber}`,
        more: [grade, manufacturer],
      }),
    ),
    ...found.orders.map(
      ({ orderId, orderNumber, customer }): Hit => ({
        kind: 'order',
        path: `/orders/${orderId}`,
        text: orderNumber,
        more: [customer],
      }),
    ),
    ...plans(text, found.bars),
    ...found.bars.map(
      ({ barId, planName = '', ordinal, grade, profile, cuts }): Hit => ({
        kind: 'bar',
        path: `/bars/${barId}`,
        text: `${planName} · ${ordinal}`,
        more: [cuts.find(({ pieceMark }) => isMark(pieceMark, text))?.pieceMark, profile, grade],
      }),
    ),
    ...found.deliveries.map(
      ({ deliveryNote, supplier, date }): Hit => ({
        kind: 'deliveryNote',
        path: recallPath('deliveryNote', deliveryNote),
        text: deliveryNote,
        more: [supplier, date],
      }),
    ),
    ...recalls(text, found),
  ]
}

/** The plans whose names have the text, each once. */
function plans(text: string, bars: Found['bars']): readonly Hit[] {
  const namedBars = bars.filter(({ planName = '' }) => normalise(planName).includes(normalise(text)))
  const byId = new Map(namedBars.map(({ planId, planName = '' }) => [planId, planName]))
  return [...byId].map(([planId, name]) => ({ kind: 'plan', path: `/plans/${planId}`, text: name, more: [] }))
}

function recalls(text: string, { certificates, bars }: Found): readonly Hit[] {
  const heats = certificates
    .map(({ heatNumber }) => heatNumber)
    .filter((one) => nearKey(one) === nearKey(text))
  const marks = bars.flatMap(({ cuts }) =>
    cuts.flatMap(({ pieceMark }) => (pieceMark !== null && isMark(pieceMark, text) ? pieceMark : [])),
  )
  const recall = (by: 'heatNumber' | 'pieceMark') => (name: string) => ({
    kind: 'recall' as const,
    path: recallPath(by, name),
    text: name,
    more: [],
  })
  return [...[...new Set(heats)].map(recall('heatNumber')), ...[...new Set(marks)].map(recall('pieceMark'))]
}

function isMark(pieceMark: string | null, text: string): boolean {
  return pieceMark !== null && normalise(pieceMark) === normalise(text)
}

function recallPath(by: string, name: string): string {
  return `/recall?${by}=${encodeURIComponent(name)}`
}

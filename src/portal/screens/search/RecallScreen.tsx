import { useSearchParams } from 'wouter'
import { Empty } from '../../kit/Notice.tsx'
import { Page } from '../../kit/Page.tsx'
import { useTexts } from '../../texts/texts.ts'
import { type Recalled, RecallTree } from '../certificates/RecallTree.tsx'

/** The recall that the address asks for, by a heat, a piece mark or a delivery note. */
export function RecallScreen() {
  const { t } = useTexts()
  const [search] = useSearchParams()
  const [heatNumber, pieceMark, deliveryNote] = ['heatNumber', 'pieceMark', 'deliveryNote'].map((name) =>
    search.get(name),
  )
  const of: Recalled | undefined =
    (heatNumber && { heatNumber }) ||
    (pieceMark && { pieceMark }) ||
    (deliveryNote && { deliveryNote }) ||
    undefined
  const title = t('recallOf', { name: heatNumber || pieceMark || deliveryNote || '' })
  return <Page title={title}>{of ? <RecallTree of={of} /> : <Empty title={t('nothingFound')} />}</Page>
}

import type { ListedProductionPlanBar } from '../../api/generated.ts'
import { Button } from '../../kit/Button.tsx'
import { useTexts } from '../../texts/texts.ts'
import { HeatText } from '../bars/HeatText.tsx'
import { type HeatOffer, useHeatOffers } from '../bars/heatOffers.ts'

interface HeatOffersProps {
  readonly bar: ListedProductionPlanBar
  readonly onChoose: (chosen: Pick<HeatOffer, 'millCertificationId' | 'heatNumber'>) => void
}

/** The certificates that the bar may have by the heat that was read. A person takes one of them. */
export function HeatOffers({ bar, onChoose }: HeatOffersProps) {
  const { t } = useTexts()
  const offers = useHeatOffers(bar)
  if (offers.length === 0) return null
  return (
    <>
      <p>{t('heatOffers')}</p>
      <ul className="sawChoice">
        {offers.map((offer) => (
          <li key={offer.millCertificationId}>
            <Button
              onPress={() =>
                onChoose({ millCertificationId: offer.millCertificationId, heatNumber: offer.heatNumber })
              }
            >
              <HeatText of={offer} isLike />
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}

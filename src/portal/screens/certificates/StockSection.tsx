import type { CertificateWithFindings } from '../../api/generated.ts'
import { Facts, Section } from '../../kit/Page.tsx'
import { type TextName, useTexts } from '../../texts/texts.ts'

type Stock = NonNullable<CertificateWithFindings['stock']>

const parts = {
  delivered: 'stockDelivered',
  planned: 'stockPlanned',
  cut: 'stockCut',
  scrapped: 'stockScrapped',
  remaining: 'stockRemaining',
} as const satisfies Record<keyof Stock, TextName>

/** The steel that has come on a certificate, and what is left of it. */
export function StockSection({ stock }: { readonly stock: Stock | null }) {
  const { t, number } = useTexts()
  const inWords = ({ pieces, metres }: Stock['delivered']) =>
    [t('pieceCount', { n: number(pieces) }), metres !== null && `${number(metres)} m`]
      .filter(Boolean)
      .join(' · ')
  return (
    <Section title={t('stock')}>
      {stock ? (
        <Facts
          facts={Object.entries(parts).map(([part, text]) => ({
            name: t(text),
            value: inWords(stock[part as keyof Stock]),
          }))}
        />
      ) : (
        <p className="muted">{t('noDeliveryRecorded')}</p>
      )}
    </Section>
  )
}

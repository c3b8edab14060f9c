import { useState } from 'react'
import type { OrderWithFindings } from '../../api/generated.ts'
import { useCompanyId } from '../../app/company.tsx'
import { useMay } from '../../app/session.tsx'
import { Button } from '../../kit/Button.tsx'
import { Section } from '../../kit/Page.tsx'
import { useTexts } from '../../texts/texts.ts'
import { DemandsForm } from './DemandsForm.tsx'
import { type Demanding, optionTexts, textOfSubstitutes } from './demandTexts.ts'

/** The options that the order and its lines demand, and the steels that may replace the demanded ones. */
export function Demands({ order }: { readonly order: OrderWithFindings }) {
  const { t } = useTexts()
  const may = useMay(useCompanyId())('patchOrder')
  const [edited, setEdited] = useState<Demanding>()
  const all: readonly Demanding[] = [
    { options: order.options, allowedSubstitutes: order.allowedSubstitutes },
    ...order.lineItems,
  ]
  return (
    <Section title={t('demands')}>
      <ul className="lines">
        {all.map((one) => (
          <li key={one.lineNumber ?? 'order'}>
            <strong className="noWrap">
              {one.lineNumber === undefined ? t('allLines') : t('line', { n: one.lineNumber })}
            </strong>
            <Demand of={one} />
            {may && (
              <span className="end">
                <Button onPress={() => setEdited(one)}>{t('change')}</Button>
              </span>
            )}
          </li>
        ))}
      </ul>
      {edited && <DemandsForm order={order} of={edited} onClose={() => setEdited(undefined)} />}
    </Section>
  )
}

function Demand({ of: { options, allowedSubstitutes } }: { readonly of: Demanding }) {
  const { t, number } = useTexts()
  const { normalisedRolling = false, ...others } = options ?? {}
  const stated = Object.entries(others).flatMap(([name, value]) => {
    const shown = typeof value === 'number' ? number(value) : value
    return value === null ? [] : [`${t(optionTexts[name as keyof typeof others])} ${shown}`]
  })
  const parts = [...stated, ...(normalisedRolling ? [t('normalisedRolling')] : [])]
  if (parts.length === 0 && !allowedSubstitutes) return <span className="muted">–</span>
  return (
    <>
      <span>{parts.join(' · ')}</span>
      {allowedSubstitutes && (
        <span className="muted">
          {t('allowedSubstitutes')}: {textOfSubstitutes(allowedSubstitutes).replaceAll('\n', ', ')}
        </span>
      )}
    </>
  )
}

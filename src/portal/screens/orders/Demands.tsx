import { useState } from 'react'
import type { OrderWithFindings } from '../../api/generated.ts'
import { useCompanyId } from '../../app/company.tsx'
import { useMay } from '../../app/session.tsx'
import { Button } from '../../kit/Button.tsx'
import { Select } from '../../kit/Form.tsx'
import { Section } from '../../kit/Page.tsx'
import { useTexts } from '../../texts/texts.ts'
import { DemandsForm } from './DemandsForm.tsx'
import { type Demanding, optionTexts, textOfSubstitutes } from './demandTexts.ts'

/** The options that the order and its lines demand, and the steels that may replace the demanded ones. */
export function Demands({ order }: { readonly order: OrderWithFindings }) {
  const { t } = useTexts()
  const may = useMay(useCompanyId())('patchOrder')
  const [edited, setEdited] = useState<Demanding>()
  // An order may have hundreds of lines, and most demand what the order does.
  const [stating, others] = [true, false].map((states) =>
    order.lineItems.filter(
      ({ options, allowedSubstitutes }) => ((options ?? allowedSubstitutes) !== null) === states,
    ),
  ) as [OrderWithFindings['lineItems'], OrderWithFindings['lineItems']]
  const shown: readonly Demanding[] = [
    { options: order.options, allowedSubstitutes: order.allowedSubstitutes },
    ...stating,
  ]
  return (
    <Section title={t('demands')}>
      <ul className="lines">
        {shown.map((one) => (
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
      {may && others.length > 0 && (
        <div className="toolbar">
          <Select
            label={t('demandsOfLine')}
            value=""
            onChange={(chosen) => setEdited(others.find(({ lineItemId }) => lineItemId === chosen))}
            options={[
              { value: '', text: t('none') },
              ...others.map(({ lineItemId, lineNumber }) => ({
                value: lineItemId,
                text: t('line', { n: lineNumber }),
              })),
            ]}
            isCompact
          />
        </div>
      )}
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

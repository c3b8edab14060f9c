import { useState } from 'react'
import type { OrderWithFindings } from '../../api/generated.ts'
import { useCompanyId } from '../../app/company.tsx'
import { useMay } from '../../app/session.tsx'
import { Button } from '../../kit/Button.tsx'
import { Select } from '../../kit/Form.tsx'
import { Section } from '../../kit/Page.tsx'
import { useTexts } from '../../texts/texts.ts'
import { DemandsForm } from './DemandsForm.tsx'
import { type Demanding, isDemanding, optionTexts, textOfSubstitutes } from './demandTexts.ts'

/** The options that the order and its lines demand, and the steels that may replace the demanded ones. */
export function Demands({ order }: { readonly order: OrderWithFindings }) {
  const { t } = useTexts()
  const may = useMay(useCompanyId())('patchOrder')
  const [edited, setEdited] = useState<Demanding>()
  // An order may have hundreds of lines, and most demand what the order does.
  const all: readonly Demanding[] = [
    { options: order.options, allowedSubstitutes: order.allowedSubstitutes },
    ...order.lineItems,
  ]
  const demanding = all.filter(isDemanding)
  const others = all.filter((one) => !isDemanding(one))
  const keyOf = ({ lineNumber }: Demanding) => String(lineNumber ?? 'order')
  const nameOf = ({ lineNumber }: Demanding) =>
    lineNumber === undefined ? t('allLines') : t('line', { n: lineNumber })
  return (
    <Section title={t('demands')}>
      {demanding.length === 0 ? (
        <p className="muted">{t('noDemands')}</p>
      ) : (
        <ul className="lines">
          {demanding.map((one) => (
            <li key={keyOf(one)}>
              <strong className="noWrap">{nameOf(one)}</strong>
              <Demand of={one} />
              {may && (
                <span className="end">
                  <Button onPress={() => setEdited(one)}>{t('change')}</Button>
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {may && others.length > 0 && (
        <div className="toolbar">
          <Select
            label={t('demandsOfLine')}
            value=""
            onChange={(chosen) => setEdited(others.find((one) => keyOf(one) === chosen))}
            options={[
              { value: '', text: t('none') },
              ...others.map((one) => ({ value: keyOf(one), text: nameOf(one) })),
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
  const optionParts = Object.entries(others).flatMap(([name, value]) => {
    const text = typeof value === 'number' ? number(value) : value
    return value === null ? [] : [`${t(optionTexts[name as keyof typeof others])} ${text}`]
  })
  const parts = [...optionParts, ...(normalisedRolling ? [t('normalisedRolling')] : [])]
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

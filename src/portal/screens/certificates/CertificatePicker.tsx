import { useDeferredValue, useState } from 'react'
import type { Certificate } from '../../api/generated.ts'
import { useList } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'
import { OneOf, TextField } from '../../kit/Form.tsx'
import { useTexts } from '../../texts/texts.ts'

interface CertificatePickerProps {
  readonly label: string
  readonly chosen: Certificate | undefined
  readonly onChange: (chosen: Certificate | undefined) => void
  /** A certificate that cannot be chosen. */
  readonly except: string
}

/** The certificates that are offered at once. A longer search text finds the others. */
const offered = 5

/** Find a certificate by number, heat or manufacturer, and choose it. Choosing none is possible. */
export function CertificatePicker({ label, chosen, onChange, except }: CertificatePickerProps) {
  const { t } = useTexts()
  const companyId = useCompanyId()
  const [typed, setTyped] = useState('')
  const q = useDeferredValue(typed.trim())
  const { rows = [] } = useList(
    'listCertificates',
    { params: { companyId }, query: { q, limit: offered + 1 } },
    { enabled: q !== '', every: false },
  )
  const offers = q === '' ? [] : rows.filter((one) => one.millCertificationId !== except).slice(0, offered)
  const options = chosen && !offers.some((one) => isSame(one, chosen)) ? [chosen, ...offers] : offers
  return (
    <>
      <TextField
        label={label}
        value={typed}
        onChange={setTyped}
        type="search"
        placeholder={t('searchCertificates')}
      />
      {options.length > 0 && (
        <OneOf
          label={t('certificates')}
          chosen={chosen?.millCertificationId ?? ''}
          onChange={(id) => onChange(options.find((one) => one.millCertificationId === id))}
          options={[
            { value: '', text: t('none') },
            ...options.map(({ millCertificationId, certificateNumber, heatNumber, grade }) => ({
              value: millCertificationId,
              text: `${certificateNumber} · ${heatNumber} · ${grade}`,
            })),
          ]}
        />
      )}
      {q !== '' && options.length === 0 && <p className="muted">{t('nothingFound')}</p>}
    </>
  )
}

function isSame(one: Certificate, other: Certificate): boolean {
  return one.millCertificationId === other.millCertificationId
}

import { useState } from 'react'
import { useCommand, useRecord } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'
import { useMay } from '../../app/session.tsx'
import { Button } from '../../kit/Button.tsx'
import { FormError, Select } from '../../kit/Form.tsx'
import { Failure, Loading } from '../../kit/Notice.tsx'
import { Section } from '../../kit/Page.tsx'
import { tell } from '../../kit/toast.tsx'
import { useTexts } from '../../texts/texts.ts'

const offeredMinutes = [30, 60, 120, 240, 480, 600, 720]

/** How long a session of a person who only saws may go without use. */
export function SawSessions() {
  const { t, number } = useTexts()
  const companyId = useCompanyId()
  const params = { companyId }
  const may = useMay(companyId)('setCompanySettings')
  const { data, error } = useRecord('getCompanySettings', { params })
  const [chosen, setChosen] = useState<number>()
  const { mutate, isPending, error: refusal } = useCommand('setCompanySettings')
  const present = data?.data.cutterIdleMinutes
  const save = () =>
    mutate(
      { params, body: { cutterIdleMinutes: chosen! }, ifMatch: data?.etag },
      {
        onSuccess: () => {
          tell(t('settingsSaved'))
          setChosen(undefined)
        },
      },
    )
  // A program may have set another one.
  const minutes = [...new Set([...offeredMinutes, present ?? 30])].toSorted((one, other) => one - other)
  const textOf = (n: number) =>
    n % 60 === 0 ? t('hours', { n: number(n / 60) }) : t('minutes', { n: number(n) })
  return (
    <Section title={t('sawSessions')}>
      <p className="muted policyText">{t('sawSessionsText')}</p>
      {!data && (error ? <Failure error={error} /> : <Loading lines={1} />)}
      {data && (
        <div className="policy">
          <Select
            label={t('cutterIdle')}
            value={String(chosen ?? present)}
            onChange={(value) => setChosen(Number(value))}
            isDisabled={!may}
            options={minutes.map((n) => ({ value: String(n), text: textOf(n) }))}
          />
        </div>
      )}
      <FormError error={refusal} />
      {chosen !== undefined && chosen !== present && (
        <div className="actions policyActions">
          <Button kind="primary" isPending={isPending} onPress={save}>
            {t('save')}
          </Button>
        </div>
      )}
    </Section>
  )
}

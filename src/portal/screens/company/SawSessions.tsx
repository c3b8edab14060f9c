import { useState } from 'react'
import { useCommand, useRecord } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'
import { useMay } from '../../app/session.tsx'
import { Button } from '../../kit/Button.tsx'
import { ConflictDialog } from '../../kit/ConflictDialog.tsx'
import { isConflict } from '../../kit/conflict.ts'
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
  /** The version that the person chose on. The record is read again meanwhile. */
  const [seen, setSeen] = useState<string>()
  const { mutate, isPending, error: refusal, reset } = useCommand('setCompanySettings')
  const present = data?.data.cutterIdleMinutes
  const choose = (minutes: number) => {
    if (chosen === undefined) setSeen(data?.etag)
    setChosen(minutes)
  }
  const save = (ifMatch = seen) =>
    mutate(
      { params, body: { cutterIdleMinutes: chosen! }, ifMatch },
      {
        onSuccess: () => {
          tell(t('settingsSaved'))
          setChosen(undefined)
        },
      },
    )
  const takeTheirs = () => {
    reset()
    setChosen(undefined)
  }
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
            onChange={(value) => choose(Number(value))}
            isDisabled={!may}
            options={minutes.map((n) => ({ value: String(n), text: textOf(n) }))}
          />
        </div>
      )}
      <FormError error={isConflict(refusal) ? null : refusal} />
      {isConflict(refusal) && (
        <ConflictDialog
          id="getCompanySettings"
          input={{ params }}
          compare={(theirs) => [
            { name: t('cutterIdle'), mine: textOf(chosen!), theirs: textOf(theirs.cutterIdleMinutes) },
          ]}
          onSaveMine={(newest) => save(newest)}
          onTakeTheirs={takeTheirs}
          onClose={reset}
        />
      )}
      {chosen !== undefined && chosen !== present && (
        <div className="actions policyActions">
          <Button kind="primary" isPending={isPending} onPress={() => save()}>
            {t('save')}
          </Button>
        </div>
      )}
    </Section>
  )
}

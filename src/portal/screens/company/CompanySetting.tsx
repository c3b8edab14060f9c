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

interface CompanySettingProps {
  readonly name: 'cutterIdleMinutes' | 'longestKeyDays'
  readonly title: string
  readonly text: string
  readonly label: string
  /** In ascending order. null stands for no limit, and comes first. */
  readonly offered: readonly (number | null)[]
  readonly textOf: (value: number | null) => string
}

/** One setting of the company, which is a number. */
export function CompanySetting({ name, title, text, label, offered, textOf }: CompanySettingProps) {
  const { t } = useTexts()
  const companyId = useCompanyId()
  const params = { companyId }
  const may = useMay(companyId)('setCompanySettings')
  const { data, error } = useRecord('getCompanySettings', { params })
  const [chosen, setChosen] = useState<number | null>()
  /** The version that the person chose on. The record is read again meanwhile. */
  const [seen, setSeen] = useState<string>()
  const { mutate, isPending, error: refusal, reset } = useCommand('setCompanySettings')
  const present = data?.data[name]
  const choose = (value: number | null) => {
    if (chosen === undefined) setSeen(data?.etag)
    setChosen(value)
  }
  const save = (ifMatch = seen) =>
    mutate(
      { params, body: { [name]: chosen }, ifMatch },
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
  return (
    <Section title={title}>
      <p className="muted policyText">{text}</p>
      {!data && (error ? <Failure error={error} /> : <Loading lines={1} />)}
      {present !== undefined && (
        <div className="policy">
          <Select
            label={label}
            value={String(chosen === undefined ? present : chosen)}
            onChange={(value) => choose(value === String(null) ? null : Number(value))}
            isDisabled={!may}
            options={withPresent(offered, present).map((value) => ({
              value: String(value),
              text: textOf(value),
            }))}
          />
        </div>
      )}
      <FormError error={isConflict(refusal) ? null : refusal} />
      {isConflict(refusal) && (
        <ConflictDialog
          id="getCompanySettings"
          input={{ params }}
          compare={(theirs) => [{ name: label, mine: textOf(chosen!), theirs: textOf(theirs[name]) }]}
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

/** A program may have set another value than those that are offered. */
function withPresent(
  offered: readonly (number | null)[],
  present: number | null,
): readonly (number | null)[] {
  return [...new Set([...offered, present])].toSorted((one, other) => (one ?? 0) - (other ?? 0))
}

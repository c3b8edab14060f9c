import { useState } from 'react'
import { useSearchParams } from 'wouter'
import type { ReleasePolicy as Policy } from '../../api/generated.ts'
import { useRecord } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'
import { useMay } from '../../app/session.tsx'
import { Button } from '../../kit/Button.tsx'
import { Choices, Select } from '../../kit/Form.tsx'
import { Failure, Loading } from '../../kit/Notice.tsx'
import { Section } from '../../kit/Page.tsx'
import { useMedia } from '../../kit/useMedia.ts'
import { Views } from '../../kit/Views.tsx'
import { useTexts } from '../../texts/texts.ts'
import { PolicyPreview } from './PolicyPreview.tsx'
import {
  type Code,
  codes,
  type ExecutionClass,
  executionClasses,
  policySeverityTexts,
  type Severity,
} from './policyTexts.ts'

/** How severe each finding of a verdict is in the company, and who may decide alone. */

export function ReleasePolicy() {
  const { t } = useTexts()
  // The form begins with the newest state, and what others do meanwhile does not change it.
  const { data, error } = useRecord(
    'getReleasePolicy',
    { params: { companyId: useCompanyId() } },
    { every: false },
  )
  const [round, setRound] = useState(0)
  return (
    <Section title={t('releasePolicy')}>
      <p className="muted policyText">{t('releasePolicyText')}</p>
      {data ? (
        <PolicyForm key={round} newest={data.data} etag={data.etag} onDone={() => setRound(round + 1)} />
      ) : error ? (
        <Failure error={error} />
      ) : (
        <Loading />
      )}
    </Section>
  )
}

interface PolicyFormProps {
  readonly newest: Policy
  readonly etag: string | undefined
  /** The policy was set, here or by somebody else whose version stays. */
  readonly onDone: () => void
}

function PolicyForm({ newest, etag, onDone }: PolicyFormProps) {
  const { t } = useTexts()
  const may = useMay(useCompanyId())('setReleasePolicy')
  const [seen] = useState({ start: newest, etag })
  const { start } = seen
  const [policy, setPolicy] = useState(start)
  const [isPreviewed, setIsPreviewed] = useState(false)
  const isWide = useMedia('(min-width: 75rem)')
  const [search] = useSearchParams()
  const chosen = executionClasses.find((one) => one === search.get('class'))
  const isChanged = JSON.stringify(policy) !== JSON.stringify(start)
  return (
    <>
      {!isWide && (
        <Views
          label={t('executionClass')}
          parameter="class"
          views={[
            { value: '', text: t('allOrders') },
            ...executionClasses.map((value) => ({ value, text: value })),
          ]}
        />
      )}
      {(isWide || chosen) && <p className="muted small">{t('inBrackets')}</p>}
      <Severities
        {...{ policy, may }}
        columns={isWide ? [undefined, ...executionClasses] : [chosen]}
        onChange={setPolicy}
      />
      <Rest {...{ policy, may }} onChange={setPolicy} />
      {may && (
        <div className="actions policyActions">
          {isChanged && <Button onPress={() => setPolicy(start)}>{t('discard')}</Button>}
          <Button kind="primary" isDisabled={!isChanged} onPress={() => setIsPreviewed(true)}>
            {t('preview')}
          </Button>
        </div>
      )}
      {isPreviewed && (
        <PolicyPreview {...{ policy, onDone }} etag={seen.etag} onClose={() => setIsPreviewed(false)} />
      )}
    </>
  )
}

interface PartProps {
  readonly policy: Policy
  readonly may: boolean
  readonly onChange: (policy: Policy) => void
}

/** Undefined stands for all orders. */
type Column = ExecutionClass | undefined

/** The severity of each finding: in general, and on bars whose orders are of one execution class. */
function Severities({ policy, columns, may, onChange }: PartProps & { readonly columns: readonly Column[] }) {
  const { t } = useTexts()
  const nameOf = (column: Column) => column ?? t('allOrders')
  return (
    <div className="tableFrame">
      <table className="policyTable" aria-label={t('releasePolicy')}>
        <thead>
          <tr>
            <th scope="col">{t('finding')}</th>
            {columns.map((column) => (
              <th key={nameOf(column)} scope="col">
                {nameOf(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {codes.map((code) => (
            <tr key={code}>
              <th scope="row">{t(code)}</th>
              {columns.map((column) => (
                <td key={nameOf(column)}>
                  <SeverityChoice {...{ policy, code, column, may, onChange }} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface SeverityChoiceProps extends PartProps {
  readonly code: Code
  readonly column: Column
}

function SeverityChoice({ policy, code, column, may, onChange }: SeverityChoiceProps) {
  const { t } = useTexts()
  const severities = column ? (policy.byExecutionClass[column] ?? {}) : policy.severities
  const general = policy.severities[code]
  const set = (severity: string) => {
    const { [code]: _, ...others } = severities
    const next = severity === '' ? others : { ...others, [code]: severity as Severity }
    onChange(
      column
        ? { ...policy, byExecutionClass: { ...policy.byExecutionClass, [column]: next } }
        : { ...policy, severities: next },
    )
  }
  return (
    <select
      className={severities[code] === undefined ? 'input inherited' : 'input'}
      aria-label={`${t(code)}, ${column ?? t('allOrders')}`}
      value={severities[code] ?? ''}
      disabled={!may}
      onChange={({ target }) => set(target.value)}
    >
      {column && (
        <option value="">
          {t('asGeneral', { severity: general === undefined ? '' : t(policySeverityTexts[general]) })}
        </option>
      )}
      {Object.entries(policySeverityTexts).map(([value, text]) => (
        <option key={value} value={value}>
          {t(text)}
        </option>
      ))}
    </select>
  )
}

/** The members of the policy that are no severities. */
function Rest({ policy, may, onChange }: PartProps) {
  const { t } = useTexts()
  const switches = (['fourEyes', 'qualityOnly'] as const).filter((name) => policy[name])
  return (
    <>
      <div className="policy">
        <Select
          label={t('defaultDocument')}
          value={policy.defaultInspectionDocument ?? ''}
          onChange={(value) =>
            onChange({
              ...policy,
              defaultInspectionDocument: (value || null) as Policy['defaultInspectionDocument'],
            })
          }
          isDisabled={!may}
          options={['', '2.1', '2.2', '3.1', '3.2'].map((value) => ({ value, text: value || t('none') }))}
        />
      </div>
      <Choices
        label={t('whoDecides')}
        chosen={switches}
        onChange={(chosen) =>
          onChange({
            ...policy,
            fourEyes: chosen.includes('fourEyes'),
            qualityOnly: chosen.includes('qualityOnly'),
          })
        }
        isDisabled={!may}
        options={[
          { value: 'fourEyes', text: t('fourEyes') },
          { value: 'qualityOnly', text: t('qualityOnly') },
        ]}
      />
    </>
  )
}

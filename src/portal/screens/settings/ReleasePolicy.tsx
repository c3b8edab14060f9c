import { useEffect, useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import type { FallingApprovals, ReleasePolicy as Policy } from '../../api/generated.ts'
import { useCommand, useRecord } from '../../api/queries.ts'
import { pathIn, useCompanyId } from '../../app/company.tsx'
import { useMay } from '../../app/session.tsx'
import { Button } from '../../kit/Button.tsx'
import { useBarName } from '../../kit/barName.ts'
import { ConflictDialog } from '../../kit/ConflictDialog.tsx'
import { isConflict } from '../../kit/conflict.ts'
import { Dialog } from '../../kit/Dialog.tsx'
import { Choices, FormError, Select } from '../../kit/Form.tsx'
import { Failure, Loading } from '../../kit/Notice.tsx'
import { Section } from '../../kit/Page.tsx'
import { tell } from '../../kit/toast.tsx'
import { Views } from '../../kit/Views.tsx'
import { type TextName, type Texts, useTexts } from '../../texts/texts.ts'
import { useBars } from '../bars/openBars.ts'

/** How severe each finding of a verdict is in the company, and who may decide alone. */

type Code = keyof Policy['severities']
type Severity = NonNullable<Policy['severities'][Code]>
type ExecutionClass = keyof Policy['byExecutionClass']

const codeTexts: Readonly<Record<Code, TextName>> = {
  'no-certificate': 'codeNoCertificate',
  'certificate-not-released': 'codeNotReleased',
  'grade-mismatch': 'codeGradeMismatch',
  'grade-substitute': 'codeGradeSubstitute',
  'delivery-condition-unstated': 'codeConditionUnstated',
  'bar-grade-differs': 'codeBarGradeDiffers',
  'grade-unreadable': 'codeGradeUnreadable',
  'profile-mismatch': 'codeProfileMismatch',
  'document-insufficient': 'codeDocumentInsufficient',
  'demand-unstated': 'codeDemandUnstated',
  'line-cancelled': 'codeLineCancelled',
  'same-heat-blocked': 'codeSameHeatBlocked',
  'not-judged': 'codeNotJudged',
  'original-missing': 'codeOriginalMissing',
}
const codes = Object.keys(codeTexts) as Code[]
const severityTexts = {
  Block: 'severityBlock',
  Flag: 'severityFlag',
  Audit: 'severityAudit',
  Off: 'severityOff',
} as const satisfies Record<Severity, TextName>
const classes: readonly ExecutionClass[] = ['EXC1', 'EXC2', 'EXC3', 'EXC4']

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
  const [search] = useSearchParams()
  const chosen = classes.find((one) => one === search.get('class'))
  const isChanged = JSON.stringify(policy) !== JSON.stringify(start)
  return (
    <>
      <Views
        label={t('executionClass')}
        parameter="class"
        views={[{ value: '', text: t('allOrders') }, ...classes.map((value) => ({ value, text: value }))]}
      />
      <Severities {...{ policy, chosen, may }} onChange={setPolicy} />
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
        <DryRun {...{ policy, onDone }} etag={seen.etag} onClose={() => setIsPreviewed(false)} />
      )}
    </>
  )
}

interface PartProps {
  readonly policy: Policy
  readonly may: boolean
  readonly onChange: (policy: Policy) => void
}

/** The severity of each finding: in general, or on bars whose orders are of one execution class. */
function Severities({
  policy,
  chosen,
  may,
  onChange,
}: PartProps & { readonly chosen: ExecutionClass | undefined }) {
  const { t } = useTexts()
  const held = chosen ? (policy.byExecutionClass[chosen] ?? {}) : policy.severities
  const set = (code: Code, severity: string) => {
    const { [code]: _, ...others } = held
    const next = severity === '' ? others : { ...others, [code]: severity as Severity }
    onChange(
      chosen
        ? { ...policy, byExecutionClass: { ...policy.byExecutionClass, [chosen]: next } }
        : { ...policy, severities: next },
    )
  }
  const general = (code: Code) => {
    const severity = policy.severities[code]
    return severity === undefined ? '' : t(severityTexts[severity])
  }
  return (
    <div className="policy">
      {codes.map((code) => (
        <Select
          key={code}
          label={t(codeTexts[code])}
          value={held[code] ?? ''}
          onChange={(severity) => set(code, severity)}
          isDisabled={!may}
          options={[
            ...(chosen ? [{ value: '', text: t('asGeneral', { severity: general(code) }) }] : []),
            ...Object.entries(severityTexts).map(([value, text]) => ({ value, text: t(text) })),
          ]}
        />
      ))}
    </div>
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

interface DryRunProps {
  readonly policy: Policy
  readonly etag: string | undefined
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Bars that the preview names. */
const shownBars = 20

/** Say which approvals would be withdrawn, before the policy is set. */
function DryRun({ policy, etag, onDone, onClose }: DryRunProps) {
  const texts = useTexts()
  const { t } = texts
  const params = { companyId: useCompanyId() }
  const dryRun = useCommand('setReleasePolicy')
  const { mutate: ask } = dryRun
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, when the dialog opens
  useEffect(() => ask({ params, query: { dryRun: 'true' }, body: policy }), [])
  const { mutate, isPending, error, reset } = useCommand('setReleasePolicy')
  const save = (ifMatch = etag) =>
    mutate(
      { params, body: policy, ifMatch },
      {
        onSuccess: () => {
          tell(t('policySet'))
          onDone()
        },
      },
    )
  const falling = dryRun.data && (dryRun.data.data as FallingApprovals).approvals
  return (
    <Dialog title={t('policyPreview')} onClose={onClose} shape="panel">
      <div className="dialogBody">
        {falling ? <Falling falling={falling} /> : dryRun.error ? null : <Loading lines={3} />}
      </div>
      <FormError error={dryRun.error ?? (isConflict(error) ? null : error)} />
      <div className="dialogActions">
        <Button onPress={onClose}>{t('cancel')}</Button>
        <Button kind="primary" isPending={isPending || !falling} onPress={() => save()}>
          {t('save')}
        </Button>
      </div>
      {isConflict(error) && (
        <ConflictDialog
          id="getReleasePolicy"
          input={{ params }}
          compare={(theirs) => compared(policy, theirs, texts)}
          onSaveMine={(newest) => save(newest)}
          onTakeTheirs={onDone}
          onClose={reset}
        />
      )}
    </Dialog>
  )
}

function Falling({ falling }: { readonly falling: FallingApprovals['approvals'] }) {
  const { t, number } = useTexts()
  const companyId = useCompanyId()
  const nameOf = useBarName()
  const { rows: approved = [] } = useBars(['Approved'], { every: false })
  const barOf = new Map(approved.map((bar) => [bar.barId, bar]))
  if (falling.length === 0) return <p>{t('noApprovalsFall')}</p>
  return (
    <>
      <p>
        <strong>
          {falling.length === 1 ? t('oneApprovalFalls') : t('approvalsFall', { n: number(falling.length) })}
        </strong>
      </p>
      <ul className="plainList">
        {falling.slice(0, shownBars).map(({ barId, findings }) => (
          <li key={barId}>
            <Link href={pathIn(companyId, `/bars/${barId}`)}>
              {barOf.has(barId) ? nameOf(barOf.get(barId)!) : `${t('bar')} ${barId.slice(0, 8)}`}
            </Link>
            : <span lang="en">{findings.map(({ message }) => message).join(' ')}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

/** Compare every value of two policies; only those that differ are worth a line. */
function compared(mine: Policy, theirs: Policy, { t }: Texts) {
  const rowsOf = (policy: Policy) =>
    new Map<string, string>([
      ...codes.flatMap((code) =>
        [undefined, ...classes].map((one) => {
          const severity = one ? policy.byExecutionClass[one]?.[code] : policy.severities[code]
          const name = one ? `${t(codeTexts[code])} (${one})` : t(codeTexts[code])
          return [name, severity === undefined ? '–' : t(severityTexts[severity])] as const
        }),
      ),
      [t('defaultDocument'), policy.defaultInspectionDocument ?? t('none')],
      [t('fourEyes'), t(policy.fourEyes ? 'yes' : 'no')],
      [t('qualityOnly'), t(policy.qualityOnly ? 'yes' : 'no')],
    ])
  const others = rowsOf(theirs)
  return [...rowsOf(mine)]
    .map(([name, value]) => ({ name, mine: value, theirs: others.get(name) ?? '–' }))
    .filter((row) => row.mine !== row.theirs)
}

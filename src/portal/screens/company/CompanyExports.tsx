import { useState } from 'react'
import { serviceTime } from '../../api/client.ts'
import { type Item, useCommand, useList } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'
import { Button } from '../../kit/Button.tsx'
import { Mark } from '../../kit/Chip.tsx'
import { Copyable } from '../../kit/Copyable.tsx'
import { Confirm } from '../../kit/Dialog.tsx'
import { useFileSize } from '../../kit/fileSize.ts'
import { Failure, Loading } from '../../kit/Notice.tsx'
import { Section } from '../../kit/Page.tsx'
import { isUnderWay, RunProgress } from '../../kit/RunProgress.tsx'
import { SaveButton } from '../../kit/SaveButton.tsx'
import { useTexts } from '../../texts/texts.ts'

type Run = Item<'listCompanyRuns'>
type Written = Extract<NonNullable<Run['result']>, { exportId: string }>

/** Exports of everything that the company has: begin one, see how far it is, download it, and check it. */
export function CompanyExports() {
  const { t } = useTexts()
  const params = { companyId: useCompanyId() }
  const list = useList('listCompanyRuns', { params, query: { kind: 'companyExport' } }, { isUnderWay })
  const [isAsking, setIsAsking] = useState(false)
  const runs = list.rows?.toReversed()
  const newest = runs?.filter((run, index) => index === 0 || isDownloadable(run)) ?? []
  const earlier = runs?.filter((run) => !newest.includes(run)) ?? []
  return (
    <Section
      title={t('companyExports')}
      actions={
        // A company has one export under way at a time.
        runs && !runs.some(isUnderWay) && <Button onPress={() => setIsAsking(true)}>{t('exportAll')}</Button>
      }
    >
      <p className="muted policyText">{t('companyExportsText')}</p>
      {!runs &&
        (list.error ? <Failure error={list.error} onRetry={list.readAgain} /> : <Loading lines={2} />)}
      {runs?.length === 0 && <p className="muted">{t('noCompanyExports')}</p>}
      <Exports runs={newest} />
      {earlier.length > 0 && (
        <details>
          <summary>{t('earlierExports', { n: earlier.length })}</summary>
          <Exports runs={earlier} />
        </details>
      )}
      {isAsking && <Begin onClose={() => setIsAsking(false)} />}
    </Section>
  )
}

function isDownloadable({ availableUntil }: Run): boolean {
  return availableUntil !== null && availableUntil > serviceTime()
}

function Exports({ runs }: { readonly runs: readonly Run[] }) {
  return (
    <ul className="lines">
      {runs.map((run) => (
        <Export key={run.runId} run={run} />
      ))}
    </ul>
  )
}

function Export({ run }: { readonly run: Run }) {
  const { t, number, dateTime } = useTexts()
  const sizeOf = useFileSize()
  const result = run.result as Written | null
  return (
    <li>
      <strong className="noWrap">{dateTime(run.createdAt)}</strong>
      {result && (
        <span className="muted">
          {t('eventCount', { n: number(result.events) })} · {sizeOf(result.bytes)}
        </span>
      )}
      <RunProgress run={run} />
      {result && <Availability run={run} result={result} />}
    </li>
  )
}

interface ResultProps {
  readonly run: Run
  readonly result: Written
}

/** Say whether the file can still be downloaded. If it can, offer it, and say what it proves. */
function Availability({ run, result }: ResultProps) {
  const { t, dateTime } = useTexts()
  const { availableUntil } = run
  if (availableUntil === null) return <Mark tone="calm">{t('exportReplaced')}</Mark>
  if (!isDownloadable(run))
    return <Mark tone="calm">{t('exportDeleted', { at: dateTime(availableUntil) })}</Mark>
  return (
    <>
      <Mark tone="good">{t('exportAvailable', { at: dateTime(availableUntil) })}</Mark>
      <Download {...result} />
      <Proof {...result} />
    </>
  )
}

function Download({ exportId }: Written) {
  const { t } = useTexts()
  const companyId = useCompanyId()
  return (
    <span className="end actions">
      <SaveButton
        operation="getCompanyExportContent"
        input={{ params: { companyId, exportId } }}
        label={t('saveExport')}
      >
        {t('saveDocument')}
      </SaveButton>
    </span>
  )
}

/** Say what the file proves, and how anybody checks it without the service. */
function Proof({ fileName, sha256 }: Written) {
  const { t } = useTexts()
  return (
    <details className="exportProof">
      <summary>{t('exportProof')}</summary>
      <p>{t('exportProves')}</p>
      <p>{t('exportKeysText')}</p>
      <div>
        <SaveButton
          operation="listLogKeys"
          input={{ params: { companyId: useCompanyId() } }}
          name="keys.json"
        >
          {t('saveKeys')}
        </SaveButton>
      </div>
      <p>{t('exportCommand')}</p>
      <Copyable text={`node verifyCompanyExport.ts ${fileName} --keys keys.json`} />
      <p className="muted small">
        {t('packHash')} <code>{sha256}</code>
      </p>
    </details>
  )
}

function Begin({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTexts()
  const params = { companyId: useCompanyId() }
  const { mutate, isPending, error } = useCommand('exportCompany')
  return (
    <Confirm
      title={t('exportAllTitle')}
      action={t('exportAll')}
      kind="primary"
      onConfirm={() => mutate({ params }, { onSuccess: onClose })}
      {...{ onClose, isPending, error }}
    >
      <p>{t('exportAllText')}</p>
    </Confirm>
  )
}

import { useEffect, useState } from 'react'
import type { CompanyRun, OrderPack, Traceability } from '../../api/generated.ts'
import { useList, useRecord } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'
import { useMay } from '../../app/session.tsx'
import { Button } from '../../kit/Button.tsx'
import { Mark } from '../../kit/Chip.tsx'
import { useFileSize } from '../../kit/fileSize.ts'
import { useFilters } from '../../kit/filters.tsx'
import { Failure, Loading } from '../../kit/Notice.tsx'
import { Section } from '../../kit/Page.tsx'
import { isUnderWay, RunProgress } from '../../kit/RunProgress.tsx'
import { SaveButton } from '../../kit/SaveButton.tsx'
import { tell } from '../../kit/toast.tsx'
import { useTexts } from '../../texts/texts.ts'
import { IssuePack } from './IssuePack.tsx'

interface PacksProps {
  readonly traced: Traceability
}

/** The papers of an order as files for the customer: those that were issued, and the one that is being made. */
export function Packs({ traced }: PacksProps) {
  const { t, dateTime } = useTexts()
  const companyId = useCompanyId()
  const may = useMay(companyId)
  const { orderId } = traced
  const { rows, error, readAgain } = useList('listOrderPacks', { params: { companyId, orderId } })
  const [isAsking, setIsAsking] = useState(false)
  // The address holds the person's own run, so a reload still shows how it ends.
  const filters = useFilters()
  const runId = filters.value('run')
  const others = useRunsUnderWay(orderId).filter((run) => run.runId !== runId)
  const underWay = others.map((run) => run.runId).join()
  // A run that is not under way any more may have made a pack.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the runs decide when to read again
  useEffect(readAgain, [underWay])
  return (
    <Section
      title={t('orderPacks')}
      actions={may('issueOrderPack') && <Button onPress={() => setIsAsking(true)}>{t('issuePack')}</Button>}
    >
      {runId !== '' && (
        <Run
          key={runId}
          runId={runId}
          onSuccess={() => {
            filters.set('run', '')
            readAgain()
          }}
        />
      )}
      {others.map((run) => (
        <div key={run.runId}>
          {t('packBegun', { at: dateTime(run.createdAt) })}
          <RunProgress run={run} />
        </div>
      ))}
      {!rows && (error ? <Failure error={error} /> : <Loading lines={2} />)}
      {rows?.length === 0 && <p className="muted">{t('noOrderPacks')}</p>}
      {rows && rows.length > 0 && (
        <ul className="lines">
          {rows.toReversed().map((pack) => (
            <Pack key={pack.packId} {...pack} />
          ))}
        </ul>
      )}
      {isAsking && (
        <IssuePack
          traced={traced}
          onBegun={(run) => filters.set('run', run.runId)}
          onClose={() => setIsAsking(false)}
        />
      )}
    </Section>
  )
}

/** Read the runs that make packs of the order, whoever has begun them. */
function useRunsUnderWay(orderId: string): readonly CompanyRun[] {
  const { rows = [] } = useList(
    'listCompanyRuns',
    { params: { companyId: useCompanyId() }, query: { orderId, status: ['waiting', 'running'] } },
    { isUnderWay },
  )
  return rows
}

interface RunProps {
  readonly runId: string
  readonly onSuccess: () => void
}

function Run({ runId, onSuccess }: RunProps) {
  const { t } = useTexts()
  const params = { companyId: useCompanyId(), runId }
  const { data, error } = useRecord('getCompanyRun', { params }, { every: false, isUnderWay })
  const status = data?.data.status
  // biome-ignore lint/correctness/useExhaustiveDependencies: the toast and the callback come once, at the end of the run
  useEffect(() => {
    if (status !== 'succeeded') return
    tell(t('packIssued'))
    onSuccess()
  }, [status])
  if (error) return <Failure error={error} />
  return data ? <RunProgress run={data.data} /> : <Loading lines={1} />
}

function Pack({ orderId, packId, bytes, issuedAt, factsPosition, cleared, cutIds, sha256 }: OrderPack) {
  const { t, number, dateTime } = useTexts()
  const sizeOf = useFileSize()
  const companyId = useCompanyId()
  const pieces = t('pieceCount', { n: number(cutIds?.length ?? 0) })
  return (
    <li>
      <strong className="noWrap">{dateTime(issuedAt)}</strong>
      <span className="muted">
        {t('atPosition', { position: number(factsPosition) })} · {sizeOf(bytes)}
      </span>
      {cutIds && <span>{pieces}</span>}
      <Mark tone={cleared ? 'good' : 'warn'}>{t(cleared ? 'cleared' : 'notCleared')}</Mark>
      <span className="end actions">
        <SaveButton
          operation="getOrderPackContent"
          input={{ params: { companyId, orderId, packId } }}
          label={t('savePack', { at: dateTime(issuedAt) })}
        >
          {t('saveDocument')}
        </SaveButton>
      </span>
      <details>
        <summary>{t('packHash')}</summary>
        <code>{sha256}</code>
      </details>
    </li>
  )
}

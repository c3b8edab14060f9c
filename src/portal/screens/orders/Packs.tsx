import { useEffect, useState } from 'react'
import type { CompanyRun, OrderPack, Traceability } from '../../api/generated.ts'
import { useCommand, useList, useRecord } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'
import { useMay } from '../../app/session.tsx'
import { Button } from '../../kit/Button.tsx'
import { Mark } from '../../kit/Chip.tsx'
import { Confirm } from '../../kit/Dialog.tsx'
import { useFilters } from '../../kit/filters.tsx'
import { Failure, Loading } from '../../kit/Notice.tsx'
import { Section } from '../../kit/Page.tsx'
import { RunProgress } from '../../kit/RunProgress.tsx'
import { SaveButton } from '../../kit/SaveButton.tsx'
import { tell } from '../../kit/toast.tsx'
import { useTexts } from '../../texts/texts.ts'
import { Missing } from './Missing.tsx'

interface PacksProps {
  readonly traced: Traceability
}

/** The papers of an order as files for the customer: those that were issued, and the one that is being made. */
export function Packs({ traced }: PacksProps) {
  const { t } = useTexts()
  const companyId = useCompanyId()
  const may = useMay(companyId)
  const { orderId } = traced
  const { rows, error, readAgain } = useList('listOrderPacks', { params: { companyId, orderId } })
  const [isAsking, setIsAsking] = useState(false)
  // The address holds the run, so a reload still shows it.
  const filters = useFilters()
  const runId = filters.value('run')
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
        <Issue
          traced={traced}
          onBegun={(run) => filters.set('run', run.runId)}
          onClose={() => setIsAsking(false)}
        />
      )}
    </Section>
  )
}

interface RunProps {
  readonly runId: string
  readonly onSuccess: () => void
}

const isUnderWay = ({ status }: CompanyRun) => status === 'waiting' || status === 'running'

function Run({ runId, onSuccess }: RunProps) {
  const { t } = useTexts()
  const params = { companyId: useCompanyId(), runId }
  const { data, error } = useRecord('getCompanyRun', { params }, { every: false, isUnderWay })
  const status = data?.data.status
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end of the run is told once
  useEffect(() => {
    if (status !== 'succeeded') return
    tell(t('packIssued'))
    onSuccess()
  }, [status])
  if (error) return <Failure error={error} />
  return data ? <RunProgress run={data.data} /> : <Loading lines={1} />
}

interface IssueProps extends PacksProps {
  readonly onBegun: (run: CompanyRun) => void
  readonly onClose: () => void
}

/** Ask before a pack is issued: it is recorded and never deleted. An order may miss something, and the pack says so. */
function Issue({ traced, onBegun, onClose }: IssueProps) {
  const { t } = useTexts()
  const { orderId, lineItems, cleared } = traced
  const params = { companyId: useCompanyId(), orderId }
  const { mutate, isPending, error } = useCommand('issueOrderPack')
  const issue = () =>
    mutate(
      { params, body: {} },
      {
        onSuccess: ({ data }) => {
          onBegun(data)
          onClose()
        },
      },
    )
  return (
    <Confirm
      title={t('issuePackTitle')}
      action={t('issuePack')}
      kind="primary"
      onConfirm={issue}
      {...{ onClose, isPending, error }}
    >
      <p>{t('issuePackText')}</p>
      {!cleared && (
        <>
          <p>
            <Mark tone="warn">{t('notCleared')}</Mark> {t('packNotCleared')}
          </p>
          <Missing lines={lineItems} />
        </>
      )}
    </Confirm>
  )
}

function Pack({ orderId, packId, fileName, bytes, issuedAt, factsPosition, cleared, sha256 }: OrderPack) {
  const { t, number, dateTime } = useTexts()
  const companyId = useCompanyId()
  return (
    <li>
      <strong className="noWrap">{dateTime(issuedAt)}</strong>
      <span className="muted">
        {t('atPosition', { position: number(factsPosition) })} ·{' '}
        {t('kilobytes', { n: number(Math.ceil(bytes / 1024)) })}
      </span>
      <Mark tone={cleared ? 'good' : 'warn'}>{t(cleared ? 'cleared' : 'notCleared')}</Mark>
      <span className="end actions">
        <SaveButton
          operation="getOrderPackContent"
          input={{ params: { companyId, orderId, packId } }}
          name={fileName}
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

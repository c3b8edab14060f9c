import { useEffect, useRef, useState } from 'react'
import type { Operations, Projection, RunSummary } from '../../api/generated.ts'
import { type Item, type ListId, pollEvery, useCommand, useList } from '../../api/queries.ts'
import { useMay } from '../../app/session.tsx'
import { Button } from '../../kit/Button.tsx'
import { Mark, type Tone } from '../../kit/Chip.tsx'
import { Confirm } from '../../kit/Dialog.tsx'
import { Empty, Forbidden } from '../../kit/Notice.tsx'
import { Page, Section } from '../../kit/Page.tsx'
import { Table } from '../../kit/Table.tsx'
import { tell, tellAndClose } from '../../kit/toast.tsx'
import { type TextName, useTexts } from '../../texts/texts.ts'
import { RunDialog } from './RunDialog.tsx'

/** The read models with their lag, and the runs on them. */
export function OperationsScreen() {
  const { t } = useTexts()
  const may = useMay()
  const isOperator = may('listProjections')
  return (
    <Page title={t('operations')} lead={isOperator ? t('operationsText') : undefined}>
      {isOperator ? (
        <>
          <ReadModels />
          <Runs />
        </>
      ) : (
        <Forbidden />
      )}
    </Page>
  )
}

const stateTexts = {
  running: ['stateRunning', 'good'],
  failed: ['stateFailed', 'bad'],
  'table-missing': ['stateTableMissing', 'bad'],
  'went-back': ['stateWentBack', 'bad'],
} as const satisfies Record<Projection['status'], readonly [TextName, Tone]>

/** These lists are whole and take no page. */
function useWholeList<Id extends ListId>(id: Id) {
  return useList<Id>(id, {} as never, { every: pollEvery.operations, isWhole: true })
}

function ReadModels() {
  const { t, number } = useTexts()
  const list = useWholeList('listProjections')
  const lags = useLags(list.rows)
  const [toRebuild, setToRebuild] = useState<Projection>()
  return (
    <Section title={t('readModels')}>
      <Table
        label={t('readModels')}
        list={list}
        rowKey={({ name }) => name}
        empty={<Empty title={t('none')} />}
        columns={[
          { title: t('readModel'), cell: ({ name }) => <strong>{name}</strong> },
          {
            title: t('status'),
            cell: ({ status, condition }) => (
              <>
                <Mark tone={stateTexts[status][1]}>{t(stateTexts[status][0])}</Mark>
                {condition && (
                  <p className="small">
                    {condition.what} {condition.todo}
                  </p>
                )}
              </>
            ),
          },
          { title: t('lag'), cell: ({ lag }) => number(lag), isNumber: true, from: 'tablet' },
          {
            title: t('lagHistory'),
            cell: ({ name }) => <Sparkline values={lags.get(name) ?? []} />,
            from: 'desktop',
          },
          {
            title: t('rowCount'),
            cell: ({ rows, rowsAreEstimated }) =>
              rows === null ? '–' : `${rowsAreEstimated ? '≈ ' : ''}${number(rows)}`,
            isNumber: true,
            from: 'tablet',
          },
          { title: t('position'), cell: ({ position }) => number(position), isNumber: true, from: 'desktop' },
          {
            title: t('moreActions'),
            isUntitled: true,
            cell: (projection) => (
              <span className="actions noWrapRow">
                <Verify name={projection.name} />
                <Button onPress={() => setToRebuild(projection)}>{t('rebuild')}</Button>
              </span>
            ),
          },
        ]}
      />
      {toRebuild && <Rebuild name={toRebuild.name} onClose={() => setToRebuild(undefined)} />}
    </Section>
  )
}

const samples = 60

/** Remember the lags that the page has seen, by read model. */
function useLags(rows: readonly Projection[] | undefined): ReadonlyMap<string, readonly number[]> {
  const lagsOf = useRef(new Map<string, number[]>())
  const [, draw] = useState(0)
  const latest = useRef(rows)
  latest.current = rows
  useEffect(() => {
    const timer = setInterval(() => {
      for (const { name, lag } of latest.current ?? [])
        lagsOf.current.set(name, [...(lagsOf.current.get(name) ?? []), lag].slice(-samples))
      draw((count) => count + 1)
    }, pollEvery.operations)
    return () => clearInterval(timer)
  }, [])
  return lagsOf.current
}

function Sparkline({ values }: { readonly values: readonly number[] }) {
  const { t, number } = useTexts()
  const most = Math.max(1, ...values)
  const points = values.map((value, index) => `${(index * 120) / (samples - 1)},${23 - (22 * value) / most}`)
  return (
    <svg
      viewBox="0 0 120 24"
      className="sparkline"
      role="img"
      aria-label={`${t('lagHistory')}: ${number(Math.max(0, ...values))}`}
    >
      <polyline points={points.join(' ')} />
    </svg>
  )
}

type ProjectionName = Operations['verifyProjection']['params']['name']

function Verify({ name }: { readonly name: string }) {
  const { t } = useTexts()
  const { mutate, isPending } = useCommand('verifyProjection')
  return (
    <Button
      isPending={isPending}
      onPress={() =>
        mutate(
          { params: { name: name as ProjectionName } },
          { onSuccess: () => tell(t('runBegun')), onError: ({ message }) => tell(message) },
        )
      }
    >
      {t('verify')}
    </Button>
  )
}

function Rebuild({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const { t } = useTexts()
  const { mutate, isPending, error } = useCommand('rebuildProjection')
  const begin = () =>
    mutate({ params: { name: name as ProjectionName } }, tellAndClose(t('runBegun'), onClose))
  return (
    <Confirm
      title={t('rebuildTitle', { name })}
      action={t('rebuild')}
      kind="primary"
      onConfirm={begin}
      {...{ onClose, isPending, error }}
    >
      <p>{t('rebuildText')}</p>
    </Confirm>
  )
}

const runTexts = {
  running: ['stateRunning', 'info'],
  succeeded: ['runSucceeded', 'good'],
  failed: ['stateFailed', 'bad'],
  stalled: ['runStalled', 'warn'],
} as const satisfies Record<RunSummary['status'], readonly [TextName, Tone]>

function Runs() {
  const { t, number, dateTime } = useTexts()
  const list = useWholeList('listRuns')
  const [open, setOpen] = useState<Item<'listRuns'>>()
  return (
    <Section title={t('runs')}>
      <Table
        label={t('runs')}
        list={list}
        rowKey={({ runId }) => runId}
        empty={<Empty title={t('noRuns')} />}
        columns={[
          {
            title: t('run'),
            cell: ({ kind, projection }) => (
              <>
                <strong>{t(kind)}</strong> {projection}
              </>
            ),
          },
          {
            title: t('status'),
            cell: (run) => (
              <span className="chips">
                <Mark tone={runTexts[run.status][1]}>{t(runTexts[run.status][0])}</Mark>
                {run.status === 'running' && <RunProgress run={run} />}
              </span>
            ),
          },
          { title: t('started'), cell: ({ startedAt }) => dateTime(startedAt), from: 'tablet' },
          {
            title: t('differences'),
            cell: ({ kind, status, differenceCount }) =>
              kind === 'verify' && status === 'succeeded' ? number(differenceCount) : '–',
            isNumber: true,
            from: 'tablet',
          },
          {
            title: t('moreActions'),
            isUntitled: true,
            cell: (run) => <Button onPress={() => setOpen(run)}>{t('showDifferences')}</Button>,
          },
        ]}
      />
      {open && <RunDialog runId={open.runId} onClose={() => setOpen(undefined)} />}
    </Section>
  )
}

function RunProgress({ run: { progress, eventsPerSecond, etaSeconds } }: { readonly run: RunSummary }) {
  const { t, number } = useTexts()
  const speed = t('perSecond', { n: number(Math.round(eventsPerSecond)) })
  const remaining = etaSeconds === null ? '' : `, ${t('remaining', { n: number(Math.ceil(etaSeconds)) })}`
  return (
    <>
      <progress value={progress} max={1} aria-label={t('progress')} />
      <span className="muted small noWrap">
        {speed}
        {remaining}
      </span>
    </>
  )
}

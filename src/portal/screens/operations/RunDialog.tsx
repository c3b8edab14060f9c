import { pollEvery, useRecord } from '../../api/queries.ts'
import { Dialog } from '../../kit/Dialog.tsx'
import { Failure, Loading } from '../../kit/Notice.tsx'
import { Value } from '../../kit/Value.tsx'
import { useTexts } from '../../texts/texts.ts'

/** A run with its fault or its differences: live against rebuilt. */
export function RunDialog({ runId, onClose }: { readonly runId: string; readonly onClose: () => void }) {
  const { t } = useTexts()
  const { data, error } = useRecord('getRun', { params: { runId } }, { every: pollEvery.operations })
  const run = data?.data
  return (
    <Dialog title={run ? `${t(run.kind)} ${run.projection}` : t('run')} onClose={onClose} shape="panel">
      {!run && (error ? <Failure error={error} /> : <Loading />)}
      {run && <progress value={run.progress} max={1} aria-label={t('progress')} />}
      {run?.error && <p>{run.error}</p>}
      {run && run.differences.length === 0 && <p className="muted">{t('noDifferences')}</p>}
      <ul className="cards">
        {run?.differences.map(({ table, key, column, live, rebuilt }) => (
          <li key={`${table} ${JSON.stringify(key)} ${column}`} className="card">
            <h3>
              {table} · {column}
            </h3>
            <div className="small">
              <Value value={key} />
            </div>
            <p>
              <span className="muted">{t('live')}:</span> <Value value={live} />
            </p>
            <p>
              <span className="muted">{t('rebuilt')}:</span> <Value value={rebuilt} />
            </p>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

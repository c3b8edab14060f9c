import type { ListState } from '../api/queries.ts'
import { useTexts } from '../texts/texts.ts'
import { More } from './More.tsx'
import { Empty, Failure, Loading } from './Notice.tsx'
import { Timeline, type TimelineEntry } from './Timeline.tsx'

interface HistoryProps<Row> {
  readonly list: ListState<Row>
  readonly entry: (row: Row) => TimelineEntry
}

/** A history, also while it is read, empty or refused. Older entries are read when the end of the list comes into view. */
export function History<Row>({ list, entry }: HistoryProps<Row>) {
  const { t } = useTexts()
  const { rows, error, hasMore, readMore, isReadingMore } = list
  if (!rows) return error ? <Failure error={error} /> : <Loading lines={3} />
  if (rows.length === 0) return <Empty title={t('noHistory')} />
  return (
    <>
      <Timeline entries={rows.map(entry)} />
      {hasMore && <More {...{ readMore, isReadingMore }} />}
    </>
  )
}

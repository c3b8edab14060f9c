import { useState } from 'react'
import { useAsOf } from '../../api/asOf.ts'
import type { AuditTrailEntry } from '../../api/generated.ts'
import { useList } from '../../api/queries.ts'
import { showAsOf } from '../../app/asOf.tsx'
import { useCompanyId } from '../../app/company.tsx'
import { useMay } from '../../app/session.tsx'
import { Actions } from '../../kit/Actions.tsx'
import { Button } from '../../kit/Button.tsx'
import type { Column } from '../../kit/column.ts'
import { ChoiceFilter, ClearFilters, DayFilter, type Filters, useFilters } from '../../kit/filters.tsx'
import { Happened } from '../../kit/Happened.tsx'
import { Empty, Forbidden } from '../../kit/Notice.tsx'
import { Page } from '../../kit/Page.tsx'
import { Table } from '../../kit/Table.tsx'
import { FoldedChanges } from '../../kit/Timeline.tsx'
import { authorName } from '../../texts/authors.ts'
import { kindOfEvent } from '../../texts/happened.ts'
import { useTexts } from '../../texts/texts.ts'
import { Anchors } from './Anchors.tsx'
import { AuditSubject, type SubjectType, subjectTexts } from './AuditSubject.tsx'
import { Checkpoint } from './Checkpoint.tsx'
import { ExportDialog } from './ExportDialog.tsx'

/** The audit trail of the company: every event in a sentence, with filters, an export and the signed checkpoint. */
export function AuditScreen() {
  const { t } = useTexts()
  const may = useMay(useCompanyId())
  const filters = useFilters()
  const [isExporting, setIsExporting] = useState(false)
  const isPast = useAsOf() !== undefined
  if (!may('listAuditTrail'))
    return (
      <Page title={t('audit')}>
        <Forbidden />
      </Page>
    )
  return (
    <Page
      title={t('audit')}
      lead={t('auditText')}
      actions={<Button onPress={() => setIsExporting(true)}>{t('export')}</Button>}
    >
      {isPast && <p>{t('wholeTrail')}</p>}
      <div className="columns">
        <Checkpoint />
        <Anchors />
      </div>
      <Trail filters={filters} />
      {isExporting && <ExportDialog query={trailQuery(filters)} onClose={() => setIsExporting(false)} />}
    </Page>
  )
}

/** Return the query of the filters. A day begins and ends by the clock of the browser. */
function trailQuery(filters: Filters) {
  const day = (name: string, days: number) => {
    const value = filters.value(name)
    if (value === '') return ''
    const at = new Date(`${value}T00:00:00`)
    at.setDate(at.getDate() + days)
    return at.toISOString()
  }
  return {
    actorId: filters.value('actorId'),
    kind: filters.value('kind'),
    subjectId: filters.value('subjectId'),
    since: day('since', 0),
    until: day('until', 1),
    ...(filters.value('subjectType') && { subjectType: filters.value('subjectType') as SubjectType }),
  }
}

function Trail({ filters }: { readonly filters: Filters }) {
  const { t } = useTexts()
  const columns = useColumns(filters)
  const companyId = useCompanyId()
  const list = useList('listAuditTrail', {
    params: { companyId },
    query: { ...trailQuery(filters), limit: 100 },
  })
  return (
    <>
      <TrailFilters filters={filters} rows={list.rows ?? []} />
      <Table
        label={t('audit')}
        list={list}
        rowKey={({ eventId }) => eventId}
        empty={
          filters.isAny ? (
            <Empty title={t('nothingFound')}>{t('nothingFoundText')}</Empty>
          ) : (
            <Empty title={t('noHistory')} />
          )
        }
        columns={columns}
      />
    </>
  )
}

interface TrailFiltersProps {
  readonly filters: Filters
  readonly rows: readonly AuditTrailEntry[]
}

function TrailFilters({ filters, rows }: TrailFiltersProps) {
  const { t, language } = useTexts()
  const chosenKind = filters.value('kind')
  const kinds = new Set([...(chosenKind ? [chosenKind] : []), ...rows.map(({ kind }) => kind)])
  return (
    <div className="toolbar">
      <ChoiceFilter
        filters={filters}
        name="actorId"
        label={t('who')}
        options={optionsOf(
          rows.map(({ actor }) => [actor.id, authorName(actor.name, language)]),
          filters.value('actorId'),
        )}
      />
      <ChoiceFilter
        filters={filters}
        name="subjectType"
        label={t('recordKind')}
        options={Object.entries(subjectTexts).map(([value, text]) => ({ value, text: t(text) }))}
      />
      <ChoiceFilter
        filters={filters}
        name="kind"
        label={t('eventType')}
        options={optionsOf(
          [...kinds].map((kind) => [kind, kindOfEvent(kind, language)]),
          '',
        )}
      />
      <DayFilter filters={filters} name="since" label={t('since')} />
      <DayFilter filters={filters} name="until" label={t('until')} />
      <ClearFilters filters={filters} />
    </div>
  )
}

function useColumns(filters: Filters): Column<AuditTrailEntry>[] {
  const { t, number, dateTime, language } = useTexts()
  return [
    {
      title: t('when'),
      cell: ({ position, occurredAt, performedAt }) => (
        <>
          <time className="noWrap" dateTime={occurredAt}>
            {dateTime(occurredAt)}
          </time>
          <div className="muted small noWrap">{t('atPosition', { position: number(position) })}</div>
          {performedAt !== null && (
            <div className="muted small">{t('doneAt', { at: dateTime(performedAt) })}</div>
          )}
        </>
      ),
      from: 'tablet',
    },
    { title: t('who'), cell: ({ actor }) => authorName(actor.name, language), isText: true, from: 'tablet' },
    {
      title: t('whatHappened'),
      cell: ({ message, sentence, changes, actor, occurredAt, subject }) => (
        <>
          <Happened {...{ message, sentence }} />
          <div className="belowDesktop small">
            <AuditSubject {...subject} />
          </div>
          <div className="muted small onPhone">
            {authorName(actor.name, language)} · {dateTime(occurredAt)}
          </div>
          <FoldedChanges changes={changes} />
        </>
      ),
    },
    {
      title: t('record'),
      cell: ({ subject }) => <AuditSubject {...subject} />,
      isText: true,
      from: 'desktop',
    },
    {
      title: t('moreActions'),
      isUntitled: true,
      cell: ({ position, actor, subject }) => (
        <Actions
          actions={[
            {
              text: t('onlyRecord'),
              act: () => filters.setAll({ subjectType: subject.type, subjectId: subject.id }),
            },
            { text: t('showAsOf'), act: () => showAsOf(String(position)) },
            { text: t('onlyPerson'), act: () => filters.setAll({ actorId: actor.id }) },
          ]}
        />
      ),
    },
  ]
}

/** The choices that the list shows, and the present one, which may be on a page that is not read yet. */
function optionsOf(entries: readonly (readonly [string, string])[], chosen: string) {
  const texts = new Map([...(chosen === '' ? [] : [[chosen, chosen] as const]), ...entries])
  return [...texts]
    .map(([value, text]) => ({ value, text }))
    .toSorted((one, other) => one.text.localeCompare(other.text))
}

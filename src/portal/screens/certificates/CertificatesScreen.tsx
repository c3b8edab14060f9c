import { Link } from 'wouter'
import type { Certificate } from '../../api/generated.ts'
import { type ListState, useList } from '../../api/queries.ts'
import { pathIn, useCompanyId } from '../../app/company.tsx'
import { Mark, TagChips } from '../../kit/Chip.tsx'
import { ChoiceFilter, TextFilter, useFilters } from '../../kit/filters.tsx'
import { Page } from '../../kit/Page.tsx'
import { Table } from '../../kit/Table.tsx'
import { useTexts } from '../../texts/texts.ts'
import { NoSubjects, SubjectFilters, subjectQuery } from '../subjects/SubjectFilters.tsx'

/** Mill certificates, with search and filters. */
export function CertificatesScreen() {
  const { t } = useTexts()
  const companyId = useCompanyId()
  const filters = useFilters()
  const tags = useList('listMillCertTags', { params: { companyId } }, { every: false })
  const list = useCertificates(filters.value('search'), {
    grade: filters.value('grade'),
    inspectionDocument: filters.value('document') as Certificate['inspectionDocument'],
    ...subjectQuery(filters),
  })
  return (
    <Page title={t('certificates')} lead={t('certificatesText')}>
      <div className="toolbar">
        <TextFilter
          filters={filters}
          name="search"
          label={t('search')}
          placeholder={t('searchCertificates')}
        />
        <TextFilter filters={filters} name="grade" label={t('grade')} />
        <ChoiceFilter
          filters={filters}
          name="document"
          label={t('document')}
          options={['2.1', '2.2', '3.1', '3.2'].map((value) => ({ value, text: value }))}
        />
        <SubjectFilters filters={filters} tags={tags.rows ?? []} />
      </div>
      <CertificateTable
        list={list}
        empty={<NoSubjects filters={filters} title={t('noCertificates')} text={t('noCertificatesText')} />}
      />
    </Page>
  )
}

interface CertificateFilters {
  readonly grade?: string
  readonly inspectionDocument?: Certificate['inspectionDocument']
  readonly tagId?: string
  readonly blocked?: boolean
}

/** A search is for a heat or for a certificate: both are asked for. */
function useCertificates(search: string, query: CertificateFilters): ListState<Certificate> {
  const companyId = useCompanyId()
  const isSearch = search !== ''
  const asked = (more: object) => ({ params: { companyId }, query: { ...query, ...more } })
  const all = useList('listCertificates', asked({}), { enabled: !isSearch })
  const byHeat = useList('listCertificates', asked({ heatNumber: search }), { enabled: isSearch })
  const byNumber = useList('listCertificates', asked({ certificateNumber: search }), { enabled: isSearch })
  if (!isSearch) return all
  const rows = byHeat.rows && byNumber.rows && [...byHeat.rows, ...byNumber.rows]
  return {
    ...byHeat,
    rows: rows?.filter(
      ({ millCertificationId }, index) =>
        index === rows.findIndex((one) => one.millCertificationId === millCertificationId),
    ),
    error: byHeat.error ?? byNumber.error,
  }
}

export function CertificateTable({
  list,
  empty,
}: {
  readonly list: ListState<Certificate>
  readonly empty: React.ReactNode
}) {
  const { t, number } = useTexts()
  const companyId = useCompanyId()
  return (
    <Table
      label={t('certificates')}
      list={list}
      rowKey={({ millCertificationId }) => millCertificationId}
      empty={empty}
      columns={[
        {
          title: t('certificate'),
          cell: ({ millCertificationId, certificateNumber, item }) => (
            <Link href={pathIn(companyId, `/certificates/${millCertificationId}`)} className="rowLink">
              {certificateNumber}
              {item !== null && <span className="muted"> · {item}</span>}
            </Link>
          ),
        },
        { title: t('heat'), cell: ({ heatNumber }) => heatNumber },
        { title: t('grade'), cell: ({ grade }) => <span className="noWrap">{grade}</span>, from: 'tablet' },
        {
          title: t('thickness'),
          cell: ({ thicknessMm }) => (thicknessMm === null ? '–' : `${number(thicknessMm)} mm`),
          isNumber: true,
          from: 'desktop',
        },
        { title: t('document'), cell: ({ inspectionDocument }) => inspectionDocument, from: 'desktop' },
        { title: t('tags'), cell: ({ tags }) => <TagChips tags={tags} />, from: 'tablet' },
        {
          title: t('status'),
          cell: ({ blocked }) =>
            blocked ? <Mark tone="bad">{t('blocked')}</Mark> : <span className="muted">–</span>,
        },
      ]}
    />
  )
}

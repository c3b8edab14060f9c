import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import type { Certificate } from '../../api/generated.ts'
import { type ListState, useList } from '../../api/queries.ts'
import { pathIn, useCompanyId } from '../../app/company.tsx'
import { useMay } from '../../app/session.tsx'
import { Actions } from '../../kit/Actions.tsx'
import { Button } from '../../kit/Button.tsx'
import { CertificateMark, certificateTexts } from '../../kit/CertificateMark.tsx'
import { TagChips } from '../../kit/Chip.tsx'
import type { Column } from '../../kit/column.ts'
import { ChoiceFilter, TextFilter, useFilters } from '../../kit/filters.tsx'
import { Page } from '../../kit/Page.tsx'
import { Table } from '../../kit/Table.tsx'
import { BlockMark } from '../../kit/Verdict.tsx'
import { type Texts, useTexts } from '../../texts/texts.ts'
import { Reason } from '../bars/Reason.tsx'
import { ImportButton } from '../imports/ImportButton.tsx'
import { NoSubjects, SubjectFilters, subjectQuery } from '../tags/subjects/SubjectFilters.tsx'
import { type Deciding, DecisionDialog, useDecisions } from './decisions.tsx'
import { NewCertificate } from './NewCertificate.tsx'
import { Selection } from './releaseMany.tsx'

/** Mill certificates, with search and filters. */
export function CertificatesScreen() {
  const { t } = useTexts()
  const companyId = useCompanyId()
  const filters = useFilters()
  const tags = useList('listMillCertTags', { params: { companyId } }, { every: false })
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const may = useMay(companyId)
  const mayRelease = may('releaseCertificates')
  const [isEntering, setIsEntering] = useState(false)
  const status = filters.value('status') as Certificate['status'] | ''
  const list = useList('listCertificates', {
    params: { companyId },
    query: {
      q: filters.value('search'),
      grade: filters.value('grade'),
      inspectionDocument: filters.value('document') as Certificate['inspectionDocument'],
      ...(status && { status: [status] }),
      ...subjectQuery(filters),
      include: ['findings'],
    },
  })
  return (
    <Page
      title={t('certificates')}
      lead={t('certificatesText')}
      actions={
        <>
          {may('registerCertificate') && (
            <Button onPress={() => setIsEntering(true)}>{t('newCertificate')}</Button>
          )}
          <ImportButton kind="certificates" />
        </>
      }
    >
      {isEntering && <NewCertificate onClose={() => setIsEntering(false)} />}
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
        <ChoiceFilter
          filters={filters}
          name="status"
          label={t('status')}
          options={Object.entries(certificateTexts).map(([value, text]) => ({ value, text: t(text) }))}
        />
        <SubjectFilters filters={filters} tags={tags.rows ?? []} />
      </div>
      <CertificateTable
        list={list}
        {...(mayRelease && { selected, onSelect: setSelected })}
        empty={<NoSubjects filters={filters} title={t('noCertificates')} text={t('noCertificatesText')} />}
      />
      {mayRelease && (
        <Selection
          releasable={list.rows?.filter(({ status }) => status === 'Received') ?? []}
          selected={selected}
          onSelect={setSelected}
        />
      )}
    </Page>
  )
}

interface CertificateTableProps {
  readonly list: ListState<Certificate>
  readonly empty: ReactNode
  /** Offers to select the certificates that wait for their release. */
  readonly selected?: ReadonlySet<string>
  readonly onSelect?: (selected: ReadonlySet<string>) => void
}

export function CertificateTable({ list, empty, selected, onSelect }: CertificateTableProps) {
  const { t, number } = useTexts()
  const decisionsOn = useDecisions()
  const [deciding, setDeciding] = useState<Deciding>()
  return (
    <>
      <Table
        label={t('certificates')}
        name="certificates"
        list={list}
        rowKey={({ millCertificationId }) => millCertificationId}
        empty={empty}
        columns={[
          ...(selected && onSelect ? [selectColumn(selected, onSelect, t)] : []),
          {
            title: t('verdict'),
            cell: (certificate) => <VerdictCell {...certificate} />,
            isText: true,
          },
          {
            title: t('certificate'),
            name: 'certificate',
            sortBy: (one) => one.certificateNumber,
            total: (rows) => t('countInAll', { n: number(rows.length) }),
            cell: (certificate) => <NumberCell {...certificate} />,
            isText: true,
          },
          {
            title: t('heat'),
            name: 'heat',
            sortBy: (one) => one.heatNumber,
            cell: ({ heatNumber }) => <Code text={heatNumber} kind="heat" />,
          },
          {
            title: t('grade'),
            name: 'grade',
            sortBy: (one) => one.grade,
            cell: ({ grade }) => <Code text={grade} />,
            from: 'tablet',
          },
          {
            title: t('thickness'),
            name: 'thickness',
            sortBy: (one) => one.thicknessMm,
            cell: ({ thicknessMm }) => (thicknessMm === null ? '–' : `${number(thicknessMm)} mm`),
            isNumber: true,
            from: 'desktop',
          },
          {
            title: t('document'),
            name: 'document',
            sortBy: (one) => one.inspectionDocument,
            cell: ({ inspectionDocument }) => inspectionDocument,
            from: 'desktop',
          },
          { title: t('tags'), name: 'tags', cell: ({ tags }) => <TagChips tags={tags} />, from: 'tablet' },
          {
            title: t('status'),
            name: 'status',
            sortBy: (one) => one.status,
            from: 'tablet',
            cell: ({ status }) => <CertificateMark status={status} />,
          },
          {
            title: t('moreActions'),
            isUntitled: true,
            from: 'tablet',
            cell: (certificate) => (
              <Actions
                actions={decisionsOn(certificate.status).map((decision) => ({
                  text: t(decision.text),
                  act: () => setDeciding({ certificate, decision }),
                }))}
              />
            ),
          },
        ]}
      />
      {deciding && <DecisionDialog {...deciding} onClose={() => setDeciding(undefined)} />}
    </>
  )
}

function VerdictCell({ findings, grade }: Certificate) {
  return (
    findings !== undefined && (
      <>
        <div className="onPhone">{grade}</div>
        <BlockMark findings={findings} />
        <div className="onPhone">
          <Reason findings={findings ?? []} />
        </div>
      </>
    )
  )
}

function Code({ text, kind = '' }: { readonly text: string; readonly kind?: 'heat' | '' }) {
  return <span className={`noWrap ${kind}`}>{text}</span>
}

function NumberCell({ millCertificationId, certificateNumber, item }: Certificate) {
  return (
    <Link href={pathIn(useCompanyId(), `/certificates/${millCertificationId}`)} className="rowLink">
      {certificateNumber}
      {item !== null && <span className="muted"> · {item}</span>}
    </Link>
  )
}

/** The column of check boxes. */
function selectColumn(
  selected: ReadonlySet<string>,
  onSelect: (selected: ReadonlySet<string>) => void,
  t: Texts['t'],
): Column<Certificate> {
  return {
    title: t('select'),
    isUntitled: true,
    from: 'tablet',
    cell: ({ millCertificationId: id, certificateNumber, status }) =>
      status === 'Received' && (
        <label className="selectRow">
          <input
            type="checkbox"
            aria-label={t('selectOne', { name: certificateNumber })}
            checked={selected.has(id)}
            onChange={({ target }) =>
              onSelect(
                new Set(target.checked ? [...selected, id] : [...selected].filter((one) => one !== id)),
              )
            }
          />
        </label>
      ),
  }
}

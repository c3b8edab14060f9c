import { lazy, Suspense, useState } from 'react'
import { Link } from 'wouter'
import type { Input } from '../../api/client.ts'
import type { ConfirmedImport, ImportProposal, ImportRow } from '../../api/generated.ts'
import { useCommand, useUpload } from '../../api/queries.ts'
import { pathIn, useCompanyId } from '../../app/company.tsx'
import { Button } from '../../kit/Button.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { FileDrop } from '../../kit/FileDrop.tsx'
import { FormError } from '../../kit/Form.tsx'
import { Loading } from '../../kit/Notice.tsx'
import { SaveButton } from '../../kit/SaveButton.tsx'
import { tell } from '../../kit/toast.tsx'
import { faultText } from '../../texts/faults.ts'
import { type TextName, useTexts } from '../../texts/texts.ts'
import { type Deciding, type Decisions, keyOf, lacksOf } from './decisions.ts'
import { useFieldName } from './fieldNames.ts'
import { Originals } from './Originals.tsx'
import { needOf, ProposedRow } from './ProposedRow.tsx'
import { readPlacesOf } from './readPlaces.ts'

/** Import a file: the service proposes what to record, a person decides what the file leaves open, and confirms. */

export type ImportKind = 'certificates' | 'orders' | 'plans'

const titles = {
  certificates: 'importCertificates',
  orders: 'importOrders',
  plans: 'importPlans',
} as const satisfies Record<ImportKind, TextName>

interface ImportDialogProps {
  readonly kind: ImportKind
  readonly onClose: () => void
}

export function ImportDialog({ kind, onClose }: ImportDialogProps) {
  const { t } = useTexts()
  const params = { companyId: useCompanyId() }
  const [file, setFile] = useState<File>()
  const [decisions, setDecisions] = useState<Decisions>(new Map())
  const propose = useUpload('proposeImport')
  const confirm = useCommand('confirmImport')
  const sendFile = (chosen: File) => {
    // Decisions stay when the same file is read again.
    if (chosen !== file) setDecisions(new Map())
    setFile(chosen)
    confirm.reset()
    again.reset()
    propose.mutate({ input: { params, query: { kind } }, file: chosen })
  }
  const again = useCommand('getImport')
  const proposal = again.data?.data ?? propose.data?.data
  // Rows that failed are offered again, with what was decided about them.
  const offerAgain = (importId: string) =>
    again.mutate({ params: { ...params, importId } }, { onSuccess: () => confirm.reset() })
  const record = ({ importId, proposal: hash, rows }: ImportProposal) =>
    confirm.mutate(
      { params: { ...params, importId }, body: { proposal: hash, decisions: decisionsOn(rows, decisions) } },
      {
        onSuccess: ({ data }) =>
          tell(t('imported', { n: countOf(data, 'created') + countOf(data, 'updated') })),
      },
    )
  return (
    <Dialog title={t(titles[kind])} onClose={onClose} shape="panel">
      {confirm.data ? (
        <Outcome
          {...{ kind, onClose }}
          outcome={confirm.data.data}
          confirmation={confirm.variables}
          onAgain={() => offerAgain(confirm.data.data.importId)}
          again={again}
        />
      ) : (
        <>
          <div className="dialogBody">
            <p>{t('importText')}</p>
            <Template kind={kind} />
            <FileDrop
              label={t(kind === 'certificates' ? 'dropImport' : 'dropTable')}
              operation="proposeImport"
              isPending={propose.isPending}
              onFiles={([chosen]) => chosen && sendFile(chosen)}
              isSingle
            />
          </div>
          <p role="status" className="importStatus">
            {propose.isPending && t('readingFile', { name: file?.name ?? '' })}
          </p>
          <FormError error={propose.error ?? confirm.error} />
          {confirm.error && file && (
            <div>
              <Button onPress={() => sendFile(file)} isPending={propose.isPending}>
                {t('readAgain')}
              </Button>
            </div>
          )}
          {file && proposal && !propose.isPending && (
            <Proposal
              file={file}
              proposal={proposal}
              decisions={decisions}
              onDecide={(key, value) => setDecisions(new Map([...decisions, [key, value]]))}
              onUndo={(key) => setDecisions(new Map([...decisions].filter(([one]) => one !== key)))}
              onConfirm={() => record(proposal)}
              isPending={confirm.isPending}
            />
          )}
        </>
      )}
    </Dialog>
  )
}

function Template({ kind }: Pick<ImportDialogProps, 'kind'>) {
  const { t, language } = useTexts()
  const params = { companyId: useCompanyId() }
  const query = { kind, ...(language === 'de' && { separator: 'semicolon' as const }) }
  return (
    <div>
      <SaveButton operation="getImportTemplate" input={{ params, query }} accept="text/csv">
        {t('saveTemplate')}
      </SaveButton>
    </div>
  )
}

/** Return what was decided about the fields that are open, and about those that were read. */
function decisionsOn(rows: readonly ImportRow[], decisions: Decisions) {
  return rows.flatMap(({ row, undecided, values, notFound = [] }) =>
    [...[...undecided, ...values].map(({ field }) => field), ...notFound].flatMap((field) => {
      const key = keyOf(row, field)
      return decisions.has(key) ? [{ row, field, value: decisions.get(key) }] : []
    }),
  )
}

interface ProposalProps extends Deciding {
  readonly file: File
  readonly proposal: ImportProposal
  readonly onConfirm: () => void
  readonly isPending: boolean
}

const ReadPages = lazy(async () => ({ default: (await import('./ReadPages.tsx')).ReadPages }))

/** Rows that are drawn at first. */
const shownAtFirst = 50

function Proposal({ file, proposal: { rows, notTaken }, onConfirm, isPending, ...deciding }: ProposalProps) {
  const { decisions } = deciding
  const { t, number } = useTexts()
  const [shown, setShown] = useState(shownAtFirst)
  const [pointed, onPoint] = useState<string>()
  const places = readPlacesOf(rows)
  const arePages = file.type === 'application/pdf' || places.length > 0
  const lacking = rows.filter((row) => lacksOf(row, decisions).length > 0)
  const unchanged = rows.filter((row) => row.action === 'unchanged' && !lacking.includes(row)).length
  const recorded = rows.length - lacking.length - unchanged
  const open = rows.flatMap(({ row, undecided }) => undecided.map(({ field }) => keyOf(row, field)))
  // A correction may save a row that is refused.
  const isAny = recorded > 0 || decisionsOn(rows, decisions).length > 0
  const openCount = open.filter((key) => !decisions.has(key)).length
  // Rows that need a person come first.
  const sortedRows = rows.toSorted((one, other) => needOf(other) - needOf(one) || one.row - other.row)
  return (
    <>
      <p role="status" className="importStatus">
        <strong>
          {t('importSummary', { name: file.name, n: number(recorded), all: number(rows.length) })}
        </strong>{' '}
        {openCount > 0 && t('importOpen', { n: number(openCount) })}
      </p>
      {notTaken.length > 0 && (
        <p className="importStatus">
          {t('importNotTaken')}{' '}
          {notTaken
            .map(({ heading, values }) =>
              t('importColumn', { name: heading || t('noHeading'), n: number(values) }),
            )
            .join(' · ')}
        </p>
      )}
      <div className={arePages ? 'beside' : undefined}>
        <div>
          <ul className="cards">
            {sortedRows.slice(0, shown).map((one) => (
              <ProposedRow key={one.row} {...{ one, file, pointed, onPoint }} {...deciding} />
            ))}
          </ul>
          {sortedRows.length > shown && (
            <Button onPress={() => setShown(shown + shownAtFirst)}>{t('more')}</Button>
          )}
        </div>
        {arePages && (
          <div className="besideOriginal">
            <Suspense fallback={<Loading lines={4} />}>
              <ReadPages {...{ file, places, pointed, onPoint }} />
            </Suspense>
          </div>
        )}
      </div>
      <Lacking {...{ lacking, decisions }} />
      <div className="dialogActions">
        <Button kind="primary" onPress={onConfirm} isPending={isPending || !isAny}>
          {t('importAction')}
        </Button>
      </div>
    </>
  )
}

/** Records that are named before the import. */
const mostLacking = 20

/** Say which records will not be recorded, and what each of them lacks. */
function Lacking({
  lacking,
  decisions,
}: {
  readonly lacking: readonly ImportRow[]
  readonly decisions: Decisions
}) {
  const { t, number } = useTexts()
  const fieldName = useFieldName()
  if (lacking.length === 0) return null
  const more = lacking.length - mostLacking
  return (
    <div className="importStatus" role="status">
      <strong>{t('importLacking', { n: number(lacking.length) })}</strong>
      <ul className="plainList">
        {lacking.slice(0, mostLacking).map((row) => (
          <li key={row.row}>
            {t('importRow', { n: row.row })}: {lacksOf(row, decisions).map(fieldName).join(', ')}
          </li>
        ))}
        {more > 0 && <li>{t('moreRecords', { n: number(more) })}</li>}
      </ul>
    </div>
  )
}

function countOf({ rows }: ConfirmedImport, outcome: 'created' | 'updated' | 'unchanged'): number {
  return rows.filter((row) => row.outcome === outcome).length
}

/** The lists of records that have an address of their own. */
const places = { certificates: '/certificates', orders: '/orders' } as const

interface OutcomeProps extends ImportDialogProps {
  readonly outcome: ConfirmedImport
  readonly confirmation: Input<'confirmImport'>
  readonly onAgain: () => void
  readonly again: Pick<ReturnType<typeof useCommand<'getImport'>>, 'isPending' | 'error'>
}

function Outcome({ kind, outcome, confirmation, onClose, onAgain, again }: OutcomeProps) {
  const { t, number, language, problemText } = useTexts()
  const companyId = useCompanyId()
  const failed = outcome.rows.filter(({ status }) => status >= 400)
  const [only, ...others] = outcome.rows
  const place = kind === 'plans' || others.length > 0 ? undefined : places[kind]
  return (
    <>
      <div className="dialogBody">
        <p>
          {t('importOutcome', {
            created: number(countOf(outcome, 'created')),
            updated: number(countOf(outcome, 'updated')),
            unchanged: number(countOf(outcome, 'unchanged')),
          })}
        </p>
        {place !== undefined && only?.id !== undefined && (
          <p>
            <Link href={pathIn(companyId, `${place}/${only.id}`)}>{t('showRecord')}</Link>
          </p>
        )}
        {failed.length > 0 && <p>{t('importFailed', { n: number(failed.length) })}</p>}
        <ul className="plainList">
          {failed.map(({ row, ...problem }) => (
            <li key={row}>
              <strong>{t('importRow', { n: row })}</strong>:{' '}
              {problem.errors?.map((fault) => faultText(fault, language)).join(' ') ??
                problemText({ ...problem })}
            </li>
          ))}
        </ul>
        <FormError error={again.error} />
        {failed.length > 0 && (
          <div>
            <Button onPress={onAgain} isPending={again.isPending}>
              {t('correctFailed')}
            </Button>
          </div>
        )}
        <Originals {...{ outcome, confirmation }} />
      </div>
      <div className="dialogActions">
        <Button kind="primary" onPress={onClose} autoFocus>
          {t('done')}
        </Button>
      </div>
    </>
  )
}

import { lazy, Suspense, useState } from 'react'
import { Link } from 'wouter'
import type { Input } from '../../api/client.ts'
import type { ConfirmedImport, ImportProposal, ImportRow } from '../../api/generated.ts'
import { useCommand, useUpload } from '../../api/queries.ts'
import { pathIn, useCompanyId } from '../../app/company.tsx'
import { Button } from '../../kit/Button.tsx'
import { Mark, type Tone } from '../../kit/Chip.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { FileDrop } from '../../kit/FileDrop.tsx'
import { FormError, Select, TextField } from '../../kit/Form.tsx'
import { Loading } from '../../kit/Notice.tsx'
import { SaveButton } from '../../kit/SaveButton.tsx'
import { Value } from '../../kit/Timeline.tsx'
import { tell } from '../../kit/toast.tsx'
import { type TextName, useTexts } from '../../texts/texts.ts'
import { useFieldName } from './fieldNames.ts'
import { Originals } from './Originals.tsx'

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

/** Decisions by row and field. They stay when the file is read again. */
type Decisions = ReadonlyMap<string, unknown>
const keyOf = (row: number, field: string) => `${row} ${field}`

export function ImportDialog({ kind, onClose }: ImportDialogProps) {
  const { t } = useTexts()
  const params = { companyId: useCompanyId() }
  const [file, setFile] = useState<File>()
  const [decisions, setDecisions] = useState<Decisions>(new Map())
  const propose = useUpload('proposeImport')
  const confirm = useCommand('confirmImport')
  const read = (chosen: File) => {
    setFile(chosen)
    confirm.reset()
    propose.mutate({ input: { params, query: { kind } }, file: chosen })
  }
  const proposal = propose.data?.data
  const record = ({ importId, proposal: hash, rows }: ImportProposal) =>
    confirm.mutate(
      {
        params: { ...params, importId },
        body: { proposal: hash, decisions: decisionsOn(rows, decisions) },
      },
      {
        onSuccess: ({ data }) =>
          tell(t('imported', { n: countOf(data, 'created') + countOf(data, 'updated') })),
      },
    )
  return (
    <Dialog title={t(titles[kind])} onClose={onClose} shape="panel">
      {confirm.data ? (
        <Outcome {...{ kind, onClose }} outcome={confirm.data.data} confirmation={confirm.variables} />
      ) : (
        <>
          <div className="dialogBody">
            <p>{t('importText')}</p>
            <Template kind={kind} />
            <FileDrop
              label={t(kind === 'certificates' ? 'dropImport' : 'dropTable')}
              operation="proposeImport"
              isPending={propose.isPending}
              onFiles={([chosen]) => chosen && read(chosen)}
              isSingle
            />
          </div>
          <p role="status" className="importStatus">
            {propose.isPending && t('readingFile', { name: file?.name ?? '' })}
          </p>
          <FormError error={propose.error ?? confirm.error} />
          {confirm.error && file && (
            <div>
              <Button onPress={() => read(file)} isPending={propose.isPending}>
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

/** Return what was decided about the fields that are open. */
function decisionsOn(rows: readonly ImportRow[], decisions: Decisions) {
  return rows.flatMap(({ row, undecided }) =>
    undecided.flatMap(({ field }) => {
      const key = keyOf(row, field)
      return decisions.has(key) ? [{ row, field, value: decisions.get(key) }] : []
    }),
  )
}

const actionTexts = {
  create: ['importCreate', 'good'],
  update: ['importUpdate', 'info'],
  unchanged: ['importUnchanged', 'calm'],
  refused: ['importRefused', 'bad'],
} as const satisfies Record<ImportRow['action'], readonly [TextName, Tone]>

interface ProposalProps {
  readonly file: File
  readonly proposal: ImportProposal
  readonly decisions: Decisions
  readonly onDecide: (key: string, value: unknown) => void
  readonly onConfirm: () => void
  readonly isPending: boolean
}

/** Rows that are drawn at first. */
const shownAtFirst = 50

function Proposal({ file, proposal: { rows }, decisions, onDecide, onConfirm, isPending }: ProposalProps) {
  const { t, number } = useTexts()
  const [shown, setShown] = useState(shownAtFirst)
  const recorded = rows.filter(({ action }) => action === 'create' || action === 'update').length
  const open = rows.flatMap(({ row, undecided }) => undecided.map(({ field }) => keyOf(row, field)))
  const left = open.filter((key) => !decisions.has(key)).length
  // Rows that need a person come first.
  const sorted = rows.toSorted((one, other) => needOf(other) - needOf(one) || one.row - other.row)
  return (
    <>
      <p role="status" className="importStatus">
        <strong>
          {t('importSummary', { name: file.name, n: number(recorded), all: number(rows.length) })}
        </strong>{' '}
        {left > 0 && t('importOpen', { n: number(left) })}
      </p>
      <ul className="cards">
        {sorted.slice(0, shown).map((one) => (
          <Row key={one.row} {...{ one, decisions, onDecide }} />
        ))}
      </ul>
      {sorted.length > shown && <Button onPress={() => setShown(shown + shownAtFirst)}>{t('more')}</Button>}
      {file.type === 'application/pdf' && <Pages file={file} rows={rows} />}
      <div className="dialogActions">
        <Button kind="primary" onPress={onConfirm} isPending={isPending || recorded === 0}>
          {t('importAction')}
        </Button>
      </div>
    </>
  )
}

const PdfPages = lazy(async () => ({ default: (await import('../../kit/PdfPages.tsx')).PdfPages }))

/** The pages of the file, with a frame around each text that a value was read from. */
function Pages({ file, rows }: Pick<ProposalProps, 'file'> & { readonly rows: readonly ImportRow[] }) {
  const read = rows.flatMap(({ values, undecided }) => [
    ...values,
    ...undecided.filter(({ candidates }) => candidates.length > 0),
  ])
  const framed = read.flatMap(({ at }) => ('box' in at ? [at] : []))
  return (
    <Suspense fallback={<Loading lines={4} />}>
      <PdfPages file={file} name={file.name} framed={framed} />
    </Suspense>
  )
}

function needOf({ undecided, faults }: ImportRow): number {
  return faults.length > 0 ? 2 : undecided.length > 0 ? 1 : 0
}

function Row({
  one,
  decisions,
  onDecide,
}: Pick<ProposalProps, 'decisions' | 'onDecide'> & { readonly one: ImportRow }) {
  const { t } = useTexts()
  const { row, action, values, undecided, faults } = one
  const placeOf = usePlace()
  const nameOf = useFieldName()
  const [text, tone] = actionTexts[action]
  return (
    <li className="card">
      <h3>
        {t('importRow', { n: row })} <Mark tone={tone}>{t(text)}</Mark>
      </h3>
      <p className="small">
        {values
          .slice(0, 4)
          .map(({ value }) => String(value))
          .join(' · ')}
      </p>
      <ul className="plainList">
        {faults.map(({ at, code, message }) => (
          <li key={`${code} ${message}`}>
            <span lang="en">{message}</span> <span className="muted">({placeOf(at)})</span>
          </li>
        ))}
      </ul>
      {undecided.map((open) => {
        const key = keyOf(row, open.field)
        return (
          <Decision
            key={open.field}
            open={open}
            place={placeOf(open.at)}
            isDecided={decisions.has(key)}
            decided={decisions.get(key)}
            onDecide={(value) => onDecide(key, value)}
          />
        )
      })}
      <details>
        <summary>{t('seenValues')}</summary>
        <ul className="changes">
          {values.map(({ field, value, at }) => (
            <li key={field}>
              <span className="muted">{nameOf(field)}:</span> <Value value={value} />{' '}
              <span className="muted">({placeOf(at)})</span>
            </li>
          ))}
        </ul>
      </details>
    </li>
  )
}

interface DecisionProps {
  readonly open: ImportRow['undecided'][number]
  /** Where in the file the field is left open. */
  readonly place: string
  readonly isDecided: boolean
  readonly decided: unknown
  readonly onDecide: (value: unknown) => void
}

/** Ask for a value that the file leaves open: one of those that it allows, or else whatever the person reads there. */
function Decision({ open: { field, candidates, text }, place, isDecided, decided, onDecide }: DecisionProps) {
  const { t } = useTexts()
  // What is decided is a number already while "1," is typed, so the text is kept as it is.
  const [typed, setTyped] = useState(isDecided ? String(decided ?? '') : '')
  const label = useFieldName()(field)
  const help = [text && `“${text}”`, place].filter(Boolean).join(' · ')
  if (candidates.length === 0)
    return (
      <TextField
        label={label}
        value={typed}
        onChange={(now) => {
          setTyped(now)
          onDecide(typedValue(field, now))
        }}
        help={`${help} · ${t('typeOrLeaveOut')}`}
      />
    )
  return (
    <Select
      label={label}
      value={isDecided ? JSON.stringify(decided) : ''}
      onChange={(value) => value !== '' && onDecide(JSON.parse(value))}
      help={help}
      options={[
        { value: '', text: t('decide') },
        ...candidates.map((value) => ({ value: JSON.stringify(value), text: String(value) })),
        { value: 'null', text: t('leaveOut') },
      ]}
    />
  )
}

/** Fields that hold numbers. */
const ofNumbers = /(?:Mm|Mpa|Percent|Joule|TemperatureC|quantity|lineNumber)$|^(?:chemistry\.|statedCev$)/

/** Return what was typed as the field has it. The service refuses a text in place of a number. */
function typedValue(field: string, typed: string): unknown {
  const text = typed.trim()
  if (text === '') return null
  const number = Number(text.replace(',', '.'))
  return ofNumbers.test(field) && !Number.isNaN(number) ? number : text
}

type At = ImportRow['values'][number]['at']

/** Return a function that says where in the file something was read. */
function usePlace(): (at: At) => string {
  const { t } = useTexts()
  return (at) => {
    if ('pointer' in at) return at.pointer
    if ('page' in at) return t('pageNumber', { n: at.page })
    return at.cell ?? t('lineColumn', { line: at.line, column: at.column })
  }
}

function countOf({ rows }: ConfirmedImport, outcome: 'created' | 'updated' | 'unchanged'): number {
  return rows.filter((row) => row.outcome === outcome).length
}

/** The lists of records that have an address of their own. */
const places = { certificates: '/certificates', orders: '/orders' } as const

interface OutcomeProps extends ImportDialogProps {
  readonly outcome: ConfirmedImport
  readonly confirmation: Input<'confirmImport'>
}

function Outcome({ kind, outcome, confirmation, onClose }: OutcomeProps) {
  const { t, number } = useTexts()
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
          {failed.map(({ row, detail, errors }) => (
            <li key={row} lang="en">
              <strong>{t('importRow', { n: row })}</strong>:{' '}
              {errors?.map(({ message }) => message).join(' ') ?? detail}
            </li>
          ))}
        </ul>
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

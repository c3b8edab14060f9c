import { useState } from 'react'
import type { ConfirmedImport, ImportProposal, ImportRow } from '../../api/generated.ts'
import { useCommand, useUpload } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'
import { Button } from '../../kit/Button.tsx'
import { Mark, type Tone } from '../../kit/Chip.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { FileDrop } from '../../kit/FileDrop.tsx'
import { FormError, Select } from '../../kit/Form.tsx'
import { SaveButton } from '../../kit/SaveButton.tsx'
import { Value } from '../../kit/Timeline.tsx'
import { tell } from '../../kit/toast.tsx'
import { type TextName, useTexts } from '../../texts/texts.ts'

/** Import a file: the service proposes what to record, a person decides what the file leaves open, and confirms. */

export type ImportKind = 'certificates' | 'orders' | 'plans'

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
    <Dialog title={t('importTitle')} onClose={onClose} shape="panel">
      {confirm.data ? (
        <Outcome outcome={confirm.data.data} onClose={onClose} />
      ) : (
        <>
          <div className="dialogBody">
            <p>{t('importText')}</p>
            <Template kind={kind} />
            <FileDrop
              label={t('dropImport')}
              operation="proposeImport"
              isPending={propose.isPending}
              onFiles={([chosen]) => chosen && read(chosen)}
              isSingle
            />
          </div>
          <FormError error={propose.error ?? confirm.error} />
          {confirm.error && file && (
            <div>
              <Button onPress={() => read(file)} isPending={propose.isPending}>
                {t('readAgain')}
              </Button>
            </div>
          )}
          {proposal && !propose.isPending && (
            <Proposal
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
  readonly proposal: ImportProposal
  readonly decisions: Decisions
  readonly onDecide: (key: string, value: unknown) => void
  readonly onConfirm: () => void
  readonly isPending: boolean
}

/** Rows that are drawn at first. */
const shownAtFirst = 50

function Proposal({ proposal: { rows }, decisions, onDecide, onConfirm, isPending }: ProposalProps) {
  const { t, number } = useTexts()
  const [shown, setShown] = useState(shownAtFirst)
  const recorded = rows.filter(({ action }) => action === 'create' || action === 'update').length
  const open = rows.flatMap(({ row, undecided }) => undecided.map(({ field }) => keyOf(row, field)))
  const left = open.filter((key) => !decisions.has(key)).length
  // Rows that need a person come first.
  const sorted = rows.toSorted((one, other) => needOf(other) - needOf(one) || one.row - other.row)
  return (
    <>
      <p role="status">
        <strong>{t('importSummary', { n: number(recorded), all: number(rows.length) })}</strong>{' '}
        {left > 0 && t('importOpen', { n: number(left) })}
      </p>
      <ul className="cards">
        {sorted.slice(0, shown).map((one) => (
          <Row key={one.row} {...{ one, decisions, onDecide }} />
        ))}
      </ul>
      {sorted.length > shown && <Button onPress={() => setShown(shown + shownAtFirst)}>{t('more')}</Button>}
      <div className="dialogActions">
        <Button kind="primary" onPress={onConfirm} isPending={isPending || recorded === 0}>
          {t('importAction')}
        </Button>
      </div>
    </>
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
      {undecided.map(({ field, candidates, at, text: read }) => {
        const key = keyOf(row, field)
        const chosen = decisions.has(key) ? JSON.stringify(decisions.get(key)) : ''
        return (
          <Select
            key={field}
            label={field}
            value={chosen}
            onChange={(value) => value !== '' && onDecide(key, JSON.parse(value))}
            help={[read && `“${read}”`, placeOf(at)].filter(Boolean).join(' · ')}
            options={[
              { value: '', text: t('decide') },
              ...candidates.map((value) => ({ value: JSON.stringify(value), text: String(value) })),
              { value: 'null', text: t('leaveOut') },
            ]}
          />
        )
      })}
      <details>
        <summary>{t('seenValues')}</summary>
        <ul className="changes">
          {values.map(({ field, value, at }) => (
            <li key={field}>
              <code>{field}</code> = <Value value={value} /> <span className="muted">({placeOf(at)})</span>
            </li>
          ))}
        </ul>
      </details>
    </li>
  )
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

function Outcome({ outcome, onClose }: { readonly outcome: ConfirmedImport; readonly onClose: () => void }) {
  const { t, number } = useTexts()
  const failed = outcome.rows.filter(({ status }) => status >= 400)
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
        {failed.length > 0 && <p>{t('importFailed', { n: number(failed.length) })}</p>}
        <ul className="plainList">
          {failed.map(({ row, detail, errors }) => (
            <li key={row} lang="en">
              <strong>{t('importRow', { n: row })}</strong>:{' '}
              {errors?.map(({ message }) => message).join(' ') ?? detail}
            </li>
          ))}
        </ul>
      </div>
      <div className="dialogActions">
        <Button kind="primary" onPress={onClose} autoFocus>
          {t('done')}
        </Button>
      </div>
    </>
  )
}

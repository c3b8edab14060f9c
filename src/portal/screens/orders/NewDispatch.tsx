import { useState } from 'react'
import { toldIn } from '../../../domain/verdict/sentence.ts'
import type { Finding, Traceability } from '../../api/generated.ts'
import { ApiProblem } from '../../api/problem.ts'
import { useCommand, useSeen } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'
import { useMay } from '../../app/session.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { Choices, Form, faultOf, TextField } from '../../kit/Form.tsx'
import { tellAndClose } from '../../kit/toast.tsx'
import { findBlocking } from '../../kit/Verdict.tsx'
import { Changed } from '../../kit/Versions.tsx'
import { useTexts } from '../../texts/texts.ts'
import { Findings, findingsIn } from '../bars/Findings.tsx'
import { PieceChoices } from './PieceChoices.tsx'
import type { Piece } from './pieces.ts'

type Missing = Traceability['lineItems'][number]['missing']

interface NewDispatchProps {
  readonly orderId: string
  /** The pieces that are cut and have not left. */
  readonly pieces: readonly Piece[]
  readonly onClose: () => void
}

/** Let pieces of an order leave. If they are not cleared, a quality engineer may decide to let them go. */
export function NewDispatch({ orderId, pieces, onClose }: NewDispatchProps) {
  const { t, number } = useTexts()
  const companyId = useCompanyId()
  const may = useMay(companyId)
  const [date, setDate] = useState(today)
  const [reference, setReference] = useState('')
  const [chosen, setChosen] = useState<string[]>([])
  const [override, setOverride] = useState<Override>()
  const { mutate, isPending, error } = useCommand('dispatchPieces')
  const { ifMatch, isReading } = useSeen('getOrder', { params: { companyId, orderId } })
  const problem = error instanceof ApiProblem ? error.problem : undefined
  const isHeld = problem?.code === 'pieces-not-cleared'
  const [pieceCount] = useState(pieces.length)
  // Pieces may leave by another hand while the form is open.
  const cutIds = chosen.filter((cutId) => pieces.some((piece) => piece.cutId === cutId))
  const dispatch = () =>
    mutate(
      {
        params: { companyId, orderId },
        ifMatch,
        body: {
          date,
          reference: reference.trim(),
          cutIds,
          ...(override && { override: { ...override, reason: override.reason.trim() } }),
        },
      },
      tellAndClose(t('piecesDispatched'), onClose),
    )
  return (
    <Dialog title={t('dispatchPieces')} onClose={onClose} shape="panel">
      <Form
        onSubmit={dispatch}
        onCancel={onClose}
        submit={t('dispatchAction')}
        isPending={isPending || isReading}
        error={error}
      >
        <TextField
          label={t('dispatchDate')}
          value={date}
          onChange={setDate}
          type="date"
          fault={faultOf(error, 'date')}
          isRequired
        />
        <TextField
          label={t('reference')}
          value={reference}
          onChange={setReference}
          help={t('dispatchReferenceHelp')}
          fault={faultOf(error, 'reference')}
          isRequired
        />
        <Changed
          differences={[{ name: t('choosePieces'), mine: number(pieceCount), theirs: number(pieces.length) }]}
          isPending={isPending}
        />
        <PieceChoices {...{ pieces, onChange: setChosen }} chosen={cutIds} fault={faultOf(error, 'cutIds')} />
        {isHeld && <Held findings={findingsIn(error)} missing={(problem.missing ?? []) as Missing} />}
        {(isHeld || override) && may('overrideFindings') && (
          <OverrideFields
            findings={findBlocking(findingsIn(error))}
            override={override ?? { reason: '', findings: [] }}
            onChange={setOverride}
            error={error}
          />
        )}
      </Form>
    </Dialog>
  )
}

/** Return the day of the browser's clock, as a date field has it. */
function today(): string {
  const now = new Date()
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
}

/** Say what keeps the pieces from being cleared: findings, and gaps in their traceability. */
function Held({ findings, missing }: { readonly findings: readonly Finding[]; readonly missing: Missing }) {
  const { t, language } = useTexts()
  return (
    <>
      <Findings findings={findings} />
      {missing.length > 0 && (
        <>
          <strong>{t('missing')}</strong>
          <ul className="findings">
            {missing.map((gap) => (
              <li key={gap.message}>{toldIn(language, gap)}</li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

interface Override {
  readonly reason: string
  /** The keys of the Block findings that the person goes on in spite of. */
  readonly findings: string[]
}

interface OverrideFieldsProps {
  readonly findings: readonly Finding[]
  readonly override: Override
  readonly onChange: (override: Override) => void
  readonly error: Error | null
}

function OverrideFields({ findings, override, onChange, error }: OverrideFieldsProps) {
  const { t, language } = useTexts()
  return (
    <>
      <p className="muted">{t('dispatchOverrideText')}</p>
      {findings.length > 0 && (
        <Choices
          label={t('overrideFindings')}
          chosen={override.findings}
          onChange={(chosen) => onChange({ ...override, findings: chosen })}
          options={findings.map((one) => ({ value: one.key, text: toldIn(language, one) }))}
        />
      )}
      <TextField
        label={t('reason')}
        value={override.reason}
        onChange={(reason) => onChange({ ...override, reason })}
        help={t('overrideReasonHelp')}
        fault={faultOf(error, 'override')}
        isRequired
        isLong
      />
    </>
  )
}

import { useState } from 'react'
import { asSeen, type Input } from '../../api/client.ts'
import type { Certificate, Finding } from '../../api/generated.ts'
import { useCommand, useRecord } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'
import { useMay } from '../../app/session.tsx'
import { certificateTexts } from '../../kit/CertificateMark.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { Form, faultOf, TextField } from '../../kit/Form.tsx'
import { tellAndClose } from '../../kit/toast.tsx'
import { useUndo } from '../../kit/undo.ts'
import { findBlocking } from '../../kit/Verdict.tsx'
import { Changed, type Difference } from '../../kit/Versions.tsx'
import { type TextName, useTexts } from '../../texts/texts.ts'
import { Findings } from '../bars/Findings.tsx'
import { CertificatePicker } from './CertificatePicker.tsx'

/** The decisions on a certificate: whether its steel may be used. */

type Status = Certificate['status']

type Inverse = 'reopenCertificate' | 'reinstateCertificate'

interface Decision {
  readonly id:
    | 'releaseCertificate'
    | 'rejectCertificate'
    | 'reopenCertificate'
    | 'voidCertificate'
    | 'reinstateCertificate'
  readonly text: TextName
  /** The effect on the bars that use the certificate. */
  readonly effect: TextName
  readonly from: readonly Status[]
  readonly to: Status
  /** Takes the decision on a Received certificate back. */
  readonly inverse?: Inverse
}

/** In the order of the menu: the first decision that is possible is the usual next step. */
const decisions: readonly Decision[] = [
  {
    id: 'releaseCertificate',
    text: 'release',
    effect: 'releaseText',
    from: ['Received'],
    to: 'Released',
    inverse: 'reopenCertificate',
  },
  {
    id: 'reopenCertificate',
    text: 'reopen',
    effect: 'reopenText',
    from: ['Released', 'Rejected'],
    to: 'Received',
  },
  {
    id: 'reinstateCertificate',
    text: 'reinstate',
    effect: 'reinstateText',
    from: ['Voided'],
    to: 'Received',
  },
  {
    id: 'rejectCertificate',
    text: 'reject',
    effect: 'rejectText',
    from: ['Received', 'Released'],
    to: 'Rejected',
    inverse: 'reopenCertificate',
  },
  {
    id: 'voidCertificate',
    text: 'voidAction',
    effect: 'voidText',
    from: ['Received', 'Released', 'Rejected'],
    to: 'Voided',
    inverse: 'reinstateCertificate',
  },
]

/** Return the decisions that this person may make on a certificate of this status. */
export function useDecisions(): (status: Status) => readonly Decision[] {
  const may = useMay(useCompanyId())
  return (status) => decisions.filter(({ id, from }) => from.includes(status) && may(id))
}

export interface Deciding {
  readonly certificate: Certificate
  readonly decision: Decision
}

export function DecisionDialog({
  certificate,
  decision,
  onClose,
}: Deciding & { readonly onClose: () => void }) {
  const { t } = useTexts()
  const companyId = useCompanyId()
  const { id, text, effect, to } = decision
  const isRelease = id === 'releaseCertificate'
  const [reason, setReason] = useState('')
  const [replacement, setReplacement] = useState<Certificate>()
  const { mutate, isPending, error } = useCommand(id)
  const { millCertificationId, certificateNumber, heatNumber } = certificate
  const now = useRecord('getCertificate', { params: { companyId, millCertificationId } }).data?.data
  const blocks = isRelease ? blocksOf(now?.findings ?? []) : []
  /** A release in spite of a Block needs a reason. Any other release may have a note. */
  const isNote = isRelease && blocks.length === 0
  const params = { companyId, millCertificationId }
  const undo = useInverse(decision)
  // Bars that have moved to a replacement do not come back by themselves.
  const mayUndo = (now ?? certificate).status === 'Received' && !replacement
  const decide = () =>
    mutate(
      {
        params,
        ...asSeen(now ?? certificate),
        body: isNote
          ? { note: reason.trim() || null }
          : { reason: reason.trim(), ...(replacement && { replacedBy: replacement.millCertificationId }) },
      },
      tellAndClose(
        t('certificateDecided', { status: t(certificateTexts[to]) }),
        onClose,
        undo && mayUndo ? (ifMatch) => undo({ params, ifMatch }) : undefined,
      ),
    )
  return (
    <Dialog
      title={t('decisionTitle', { action: t(text), name: `${certificateNumber} · ${heatNumber}` })}
      onClose={onClose}
      role="alertdialog"
    >
      <p className="dialogBody">{t(effect)}</p>
      <Changed differences={useChanges(certificate, now ?? certificate)} isPending={isPending} />
      {blocks.length > 0 && (
        <>
          <p className="dialogBody">{t('releaseBlockedText')}</p>
          <Findings findings={blocks} />
        </>
      )}
      <Form
        onSubmit={decide}
        onCancel={onClose}
        submit={t(text)}
        isPossible={decision.from.includes((now ?? certificate).status)}
        {...{ isPending, error }}
      >
        <TextField
          label={t(isNote ? 'note' : 'reason')}
          value={reason}
          onChange={setReason}
          fault={faultOf(error, isNote ? 'note' : 'reason')}
          isRequired={!isNote}
          isLong
          autoFocus
        />
        {id === 'voidCertificate' && (
          <CertificatePicker
            label={t('replacedBy')}
            chosen={replacement}
            onChange={setReplacement}
            except={millCertificationId}
          />
        )}
      </Form>
    </Dialog>
  )
}

/** Return the function that takes a decision on a Received certificate back; undefined if the person may not do that. */
function useInverse({ inverse }: Decision) {
  const { t } = useTexts()
  const may = useMay(useCompanyId())
  const undo = useUndo(inverse ?? 'reopenCertificate')
  if (!inverse || !may(inverse)) return undefined
  return (input: Pick<Input<Inverse>, 'params' | 'ifMatch'>) =>
    undo(
      [{ ...input, body: { reason: t('undoneAtOnce') } }],
      t('certificateDecided', { status: t('certificateReceived') }),
    )
}

/** Return the Blocks that a release overrules. The release itself ends `certificate-not-released`. */
function blocksOf(findings: readonly Finding[]): readonly Finding[] {
  return findBlocking(findings).filter(({ code }) => code !== 'certificate-not-released')
}

/** Compare the certificate that the person saw with the certificate now. */
function useChanges(seen: Certificate, now: Certificate): readonly Difference[] {
  const { t, number } = useTexts()
  const itemsOf = (values: object | null) =>
    Object.entries(values ?? {})
      .filter(([, value]) => typeof value === 'number')
      .map(([name, value]) => `${name} ${number(value)}`)
      .join(', ')
  const row = (name: TextName, of: (certificate: Certificate) => string) => ({
    name: t(name),
    mine: of(seen),
    theirs: of(now),
  })
  return [
    row('status', ({ status }) => t(certificateTexts[status])),
    row('blocked', ({ blocked }) => t(blocked ? 'yes' : 'no')),
    row('grade', ({ grade }) => grade),
    row('document', ({ inspectionDocument }) => inspectionDocument),
    row('chemistry', ({ chemistry }) => itemsOf(chemistry)),
    row('mechanical', ({ mechanical }) => itemsOf(mechanical)),
  ]
}

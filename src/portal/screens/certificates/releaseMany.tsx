import { useState } from 'react'
import { asLeft } from '../../api/client.ts'
import type { Certificate } from '../../api/generated.ts'
import { useCommand } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'
import { useMay } from '../../app/session.tsx'
import { Button } from '../../kit/Button.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { Form, faultOf, TextField } from '../../kit/Form.tsx'
import { tell } from '../../kit/toast.tsx'
import { useUndo } from '../../kit/undo.ts'
import { useTexts } from '../../texts/texts.ts'
import { RefusedMany } from '../bars/RefusedMany.tsx'

/** The release of many certificates at once. */

/** The most certificates of one request. */
const most = 500

interface SelectionProps {
  /** The certificates of the list that may be released. */
  readonly releasable: readonly Certificate[]
  readonly selected: ReadonlySet<string>
  readonly onSelect: (selected: ReadonlySet<string>) => void
}

/** Say how many certificates are selected, and offer to release them. */
export function Selection({ releasable, selected, onSelect }: SelectionProps) {
  const { t, number } = useTexts()
  const [isOpen, setIsOpen] = useState(false)
  const chosen = releasable.filter(({ millCertificationId }) => selected.has(millCertificationId))
  const all = releasable.slice(0, most)
  if (chosen.length === 0 && !isOpen) return null
  return (
    <div className="selection">
      <strong role="status">{t('selected', { n: number(chosen.length) })}</strong>
      {chosen.length < all.length && (
        <Button onPress={() => onSelect(new Set(all.map((one) => one.millCertificationId)))}>
          {t('selectAll', { n: number(all.length) })}
        </Button>
      )}
      <Button kind="quiet" onPress={() => onSelect(new Set())}>
        {t('clearSelection')}
      </Button>
      <Button kind="primary" onPress={() => setIsOpen(true)}>
        {t('release')}
      </Button>
      {isOpen && (
        <ReleaseDialog
          certificates={chosen}
          onClose={() => {
            setIsOpen(false)
            onSelect(new Set())
          }}
        />
      )}
    </div>
  )
}

interface ReleaseDialogProps {
  readonly certificates: readonly Certificate[]
  readonly onClose: () => void
}

function ReleaseDialog({ certificates, onClose }: ReleaseDialogProps) {
  const { t, number } = useTexts()
  const companyId = useCompanyId()
  // The list behind the dialog changes with the release.
  const [rows] = useState(certificates)
  const [note, setNote] = useState('')
  const { mutate, isPending, error, data } = useCommand('releaseCertificates')
  const may = useMay(companyId)
  const reopen = useUndo('reopenCertificate')
  const takeBack = (released: readonly Certificate[]) =>
    reopen(
      released.map((one) => ({
        params: { companyId, millCertificationId: one.millCertificationId },
        ...asLeft(one),
        body: { reason: t('undoneAtOnce') },
      })),
      t('certificatesReopened', { n: number(released.length) }),
    )
  const release = () =>
    mutate(
      {
        params: { companyId },
        body: {
          ids: rows.map((one) => one.millCertificationId),
          revisions: Object.fromEntries(rows.map((one) => [one.millCertificationId, one.revision])),
          note: note.trim() || null,
        },
      },
      {
        onSuccess: ({ data: { summary, results } }) => {
          const updated = results.filter(({ outcome }) => outcome === 'updated').map(({ id }) => id)
          const undo = () => takeBack(rows.filter((one) => updated.includes(one.millCertificationId)))
          const mayUndo = updated.length > 0 && may('reopenCertificate')
          tell(t('certificatesReleased', { n: number(summary.updated) }), mayUndo ? undo : undefined)
          if (summary.failed === 0) onClose()
        },
      },
    )
  return (
    <Dialog title={t('releaseMany', { n: number(rows.length) })} onClose={onClose} role="alertdialog">
      {data ? (
        <>
          <p className="dialogBody">{t('notReleased')}</p>
          <RefusedMany
            decisions={data.data}
            names={new Map(rows.map((one) => [one.millCertificationId, one.certificateNumber]))}
            onClose={onClose}
          />
        </>
      ) : (
        <>
          <p className="dialogBody">{t('releaseManyText')}</p>
          <Form onSubmit={release} onCancel={onClose} submit={t('release')} {...{ isPending, error }}>
            <TextField
              label={t('note')}
              value={note}
              onChange={setNote}
              fault={faultOf(error, 'note')}
              isLong
              autoFocus
            />
          </Form>
        </>
      )}
    </Dialog>
  )
}

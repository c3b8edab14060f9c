import type { Operations } from '../../api/generated.ts'
import { useDownload } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'
import { Button } from '../../kit/Button.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { FormError } from '../../kit/Form.tsx'
import { useTexts } from '../../texts/texts.ts'

interface ExportDialogProps {
  /** The filters of the list, which the table follows. */
  readonly query: Operations['exportAuditTrail']['query']
  readonly onClose: () => void
}

/** Save the audit trail: as a table of what the filters show, or whole, signed and ready to be verified. */
export function ExportDialog({ query, onClose }: ExportDialogProps) {
  const { t } = useTexts()
  const params = { companyId: useCompanyId() }
  const table = useDownload('exportAuditTrail')
  const whole = useDownload('exportAuditTrail')
  return (
    <Dialog title={t('export')} onClose={onClose}>
      <div className="dialogBody">
        <p>{t('exportTableText')}</p>
        <div>
          <Button
            isPending={table.isPending}
            onPress={() => table.mutate({ input: { params, query }, accept: 'text/csv' })}
          >
            {t('exportTable')}
          </Button>
        </div>
        <p>{t('exportSignedText')}</p>
        <div>
          <Button
            isPending={whole.isPending}
            onPress={() => whole.mutate({ input: { params }, accept: 'application/zip' })}
          >
            {t('exportSigned')}
          </Button>
        </div>
        <FormError error={table.error ?? whole.error} />
      </div>
    </Dialog>
  )
}

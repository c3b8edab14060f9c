import type { Operations } from '../../api/generated.ts'
import { useCompanyId } from '../../app/company.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { SaveButton } from '../../kit/SaveButton.tsx'
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
  return (
    <Dialog title={t('export')} onClose={onClose}>
      <div className="dialogBody">
        <p>{t('exportTableText')}</p>
        <div>
          <SaveButton operation="exportAuditTrail" input={{ params, query }} accept="text/csv">
            {t('exportTable')}
          </SaveButton>
        </div>
        <p>{t('exportSignedText')}</p>
        <div>
          <SaveButton operation="exportAuditTrail" input={{ params }} accept="application/zip">
            {t('exportSigned')}
          </SaveButton>
        </div>
      </div>
    </Dialog>
  )
}

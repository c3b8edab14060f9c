import type { Answer, Input, OperationId } from '../api/client.ts'
import { useRecord } from '../api/queries.ts'
import { useTexts } from '../texts/texts.ts'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { Failure, Loading } from './Notice.tsx'
import { type Difference, Versions } from './Versions.tsx'

/** Shows both versions of a record that two people edited, and lets the person choose. */

export interface ConflictDialogProps<Id extends OperationId> {
  /** Reads the present version. */
  readonly id: Id
  readonly input: Input<Id>
  readonly compare: (theirs: Answer<Id>) => readonly Difference[]
  /** Save over the version with this ETag. */
  readonly onSaveMine: (etag: string | undefined) => void
  readonly onTakeTheirs: () => void
  readonly onClose: () => void
}

export function ConflictDialog<Id extends OperationId>({
  id,
  input,
  compare,
  onSaveMine,
  onTakeTheirs,
  onClose,
}: ConflictDialogProps<Id>) {
  const { t } = useTexts()
  const { data, error } = useRecord(id, input)
  return (
    <Dialog title={t('conflict')} role="alertdialog" onClose={onClose}>
      <p className="dialogBody">{t('conflictText')}</p>
      {data ? (
        <Versions differences={compare(data.data)} />
      ) : error ? (
        <Failure error={error} />
      ) : (
        <Loading lines={3} />
      )}
      <div className="dialogActions">
        <Button onPress={onTakeTheirs}>{t('takeTheirs')}</Button>
        <Button kind="primary" isDisabled={!data} onPress={() => onSaveMine(data?.etag)}>
          {t('saveMine')}
        </Button>
      </div>
    </Dialog>
  )
}

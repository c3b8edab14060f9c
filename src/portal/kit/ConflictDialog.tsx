import type { ReactNode } from 'react'
import type { Answer, Input, OperationId } from '../api/client.ts'
import { useRecord } from '../api/queries.ts'
import { useTexts } from '../texts/texts.ts'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { Failure, Loading } from './Notice.tsx'

/** Shows both versions of a record that two people edited, and lets the person choose. */

export interface Difference {
  readonly name: string
  readonly mine: ReactNode
  readonly theirs: ReactNode
  /** By default, whether the two texts differ. */
  readonly differs?: boolean
}

interface ConflictDialogProps<Id extends OperationId> {
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

function Versions({ differences }: { readonly differences: readonly Difference[] }) {
  const { t } = useTexts()
  return (
    <table className="versions">
      <thead>
        <tr>
          <th scope="col">{t('field')}</th>
          <th scope="col">{t('yourVersion')}</th>
          <th scope="col">{t('theirVersion')}</th>
        </tr>
      </thead>
      <tbody>
        {differences.map(({ name, mine, theirs, differs = mine !== theirs }) => (
          <tr key={name} className={differs ? 'differs' : ''}>
            <th scope="row">{name}</th>
            <td>{mine}</td>
            <td>{theirs}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

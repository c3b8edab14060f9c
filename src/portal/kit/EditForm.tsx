import { useState } from 'react'
import type { OperationId } from '../api/client.ts'
import { ConflictDialog, type ConflictDialogProps } from './ConflictDialog.tsx'
import { isConflict } from './conflict.ts'
import { Form, type FormProps } from './Form.tsx'

interface EditFormProps<Id extends OperationId>
  extends Omit<FormProps, 'onSubmit'>,
    Pick<ConflictDialogProps<Id>, 'id' | 'input' | 'compare'> {
  /** The version that the form shows. It stays when others save. */
  readonly etag: string | undefined
  /** Save over the version with this ETag. */
  readonly onSave: (etag: string | undefined) => void
  /** Close the two versions that a refused save has shown. */
  readonly onRead: () => void
}

/** A form of a record. If somebody else has saved meanwhile, it shows both versions and lets the person choose. */
export function EditForm<Id extends OperationId>(props: EditFormProps<Id>) {
  const { id, input, compare, etag, onSave, onRead, error, ...form } = props
  const [start] = useState(etag)
  return (
    <>
      <Form {...form} onSubmit={() => onSave(start)} error={isConflict(error) ? null : error} />
      {isConflict(error) && (
        <ConflictDialog
          {...{ id, input, compare }}
          onSaveMine={onSave}
          onTakeTheirs={form.onCancel}
          onClose={onRead}
        />
      )}
    </>
  )
}

import type { ReactNode } from 'react'
import type { OperationId } from '../api/client.ts'
import type { Download } from '../api/downloads.ts'
import { useDownload } from '../api/queries.ts'
import { Button } from './Button.tsx'
import { FormError } from './Form.tsx'

interface SaveButtonProps<Id extends OperationId> extends Download<Id> {
  readonly operation: Id
  readonly children: ReactNode
  /** A name for screen readers, where the children alone do not say enough. */
  readonly label?: string
}

/** Let the browser save a file of the service, or say why the service does not give it. */
export function SaveButton<Id extends OperationId>({
  operation,
  children,
  label,
  ...download
}: SaveButtonProps<Id>) {
  const { mutate, isPending, error } = useDownload(operation)
  return (
    <>
      <Button isPending={isPending} onPress={() => mutate(download)} {...(label !== undefined && { label })}>
        {children}
      </Button>
      <FormError error={error} />
    </>
  )
}

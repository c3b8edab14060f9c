import { useState } from 'react'
import { DropZone, FileTrigger, Text } from 'react-aria-components'
import type { OperationId } from '../api/client.ts'
import { operations } from '../api/generated.ts'
import { useTexts } from '../texts/texts.ts'
import { Button } from './Button.tsx'
import { endingsOf, withType } from './fileTypes.ts'

interface FileDropProps {
  readonly label: string
  /** The operation that the files are for. It says which files it takes. */
  readonly operation: OperationId
  readonly onFiles: (files: readonly File[]) => void
  readonly isPending: boolean
  readonly isSingle?: boolean
}

const mebibyte = 1_048_576

/** Take files that are dropped, pasted or chosen. Files that are too large are refused. */
export function FileDrop({ label, operation, onFiles, isPending, isSingle = false }: FileDropProps) {
  const { t, number } = useTexts()
  const { mediaTypes = [], maxBytes = 0 } = operations[operation].file ?? {}
  const [tooLarge, setTooLarge] = useState<readonly string[]>([])
  const take = (files: readonly File[]) => {
    const filesToTake = isSingle ? files.slice(0, 1) : files
    const fitting = filesToTake.filter(({ size }) => size <= maxBytes)
    setTooLarge(filesToTake.filter((file) => !fitting.includes(file)).map(({ name }) => name))
    if (fitting.length > 0) onFiles(fitting.map(withType))
  }
  return (
    <>
      <DropZone
        className="fileDrop"
        aria-label={label}
        isDisabled={isPending}
        onDrop={async ({ items }) =>
          take(await Promise.all(items.flatMap((one) => (one.kind === 'file' ? [one.getFile()] : []))))
        }
      >
        <Text slot="label">{label}</Text>
        <FileTrigger
          acceptedFileTypes={endingsOf(mediaTypes)}
          allowsMultiple={!isSingle}
          onSelect={(list) => take([...(list ?? [])])}
        >
          <Button isPending={isPending}>{t('chooseFile')}</Button>
        </FileTrigger>
      </DropZone>
      {tooLarge.map((name) => (
        <p key={name} className="formError" role="alert">
          {t('fileTooLarge', { name, n: number(maxBytes / mebibyte) })}
        </p>
      ))}
    </>
  )
}

import { DropZone, FileTrigger, Text } from 'react-aria-components'
import { useTexts } from '../texts/texts.ts'
import { Button } from './Button.tsx'

interface FileDropProps {
  readonly label: string
  /** The media types that it takes. */
  readonly accept: readonly string[]
  readonly onFiles: (files: readonly File[]) => void
  readonly isPending: boolean
  readonly isSingle?: boolean
}

/** Take files that are dropped, pasted or chosen. */
export function FileDrop({ label, accept, onFiles, isPending, isSingle = false }: FileDropProps) {
  const { t } = useTexts()
  return (
    <DropZone
      className="fileDrop"
      aria-label={label}
      isDisabled={isPending}
      onDrop={async ({ items }) => {
        const files = await Promise.all(items.flatMap((one) => (one.kind === 'file' ? [one.getFile()] : [])))
        if (files.length > 0) onFiles(isSingle ? files.slice(0, 1) : files)
      }}
    >
      <Text slot="label">{label}</Text>
      <FileTrigger
        acceptedFileTypes={[...accept]}
        allowsMultiple={!isSingle}
        onSelect={(list) => list && list.length > 0 && onFiles([...list])}
      >
        <Button isPending={isPending}>{t('chooseFile')}</Button>
      </FileTrigger>
    </DropZone>
  )
}

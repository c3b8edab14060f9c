import { useTexts } from '../../texts/texts.ts'

interface MarkOfHeatProps {
  readonly isTransferred: boolean
  readonly onChange: (isTransferred: boolean) => void
}

/** Ask whether the mark of the heat was transferred to the pieces and the remnant of a bar that is completed. */
export function MarkOfHeat({ isTransferred, onChange }: MarkOfHeatProps) {
  const { t } = useTexts()
  return (
    <label className="check">
      <input type="checkbox" checked={isTransferred} onChange={({ target }) => onChange(target.checked)} />
      {t('markTransferred')}
    </label>
  )
}

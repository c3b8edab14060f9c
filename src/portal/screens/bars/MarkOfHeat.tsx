import { Choices } from '../../kit/Form.tsx'
import { useTexts } from '../../texts/texts.ts'

interface MarkOfHeatProps {
  readonly isTransferred: boolean
  readonly onChange: (isTransferred: boolean) => void
}

/** Ask whether the mark of the heat was transferred to the pieces and the remnant of a bar that is completed. */
export function MarkOfHeat({ isTransferred, onChange }: MarkOfHeatProps) {
  const { t } = useTexts()
  return (
    <Choices
      label={t('markOfHeat')}
      chosen={isTransferred ? ['transferred'] : []}
      onChange={(chosen) => onChange(chosen.length > 0)}
      options={[{ value: 'transferred', text: t('markTransferred') }]}
    />
  )
}

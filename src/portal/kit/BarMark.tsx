import type { ProductionPlanBar } from '../api/generated.ts'
import { useTexts } from '../texts/texts.ts'
import { Mark, type Tone } from './Chip.tsx'

/** The state of a bar, in words and colour. Green, amber and red belong to the verdict. */

export const barTexts = {
  Draft: 'barDraft',
  Approved: 'barApproved',
  Started: 'barStarted',
  Completed: 'barCompleted',
  Cancelled: 'barCancelled',
} as const

export const barTones: Readonly<Record<ProductionPlanBar['status'], Tone>> = {
  Draft: 'calm',
  Approved: 'info',
  Started: 'info',
  Completed: 'calm',
  Cancelled: 'calm',
}

export function BarMark({ status }: Pick<ProductionPlanBar, 'status'>) {
  const { t } = useTexts()
  return <Mark tone={barTones[status]}>{t(barTexts[status])}</Mark>
}

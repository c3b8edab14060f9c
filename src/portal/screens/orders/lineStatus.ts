import type { LineItem } from '../../api/generated.ts'
import type { Tone } from '../../kit/Chip.tsx'
import type { TextName } from '../../texts/texts.ts'

export const lineTexts = {
  Open: 'statusOpen',
  'In Progress': 'statusInProgress',
  Completed: 'statusCompleted',
} as const satisfies Record<LineItem['status'], TextName>

export const lineTones: Readonly<Record<LineItem['status'], Tone>> = {
  Open: 'calm',
  'In Progress': 'info',
  Completed: 'calm',
}

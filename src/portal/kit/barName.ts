import type { ListedProductionPlanBar } from '../api/generated.ts'
import { useTexts } from '../texts/texts.ts'

/** Return a function that names a bar as people know it: by its plan, and its place in the plan. */
export function useBarName(): (bar: Pick<ListedProductionPlanBar, 'planName' | 'ordinal'>) => string {
  const { number } = useTexts()
  return ({ planName = '', ordinal }) => `${planName} · ${number(ordinal)}`
}

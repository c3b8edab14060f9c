import { createContext, useContext } from 'react'
import type { Finding, ListedProductionPlanBar } from '../../api/generated.ts'
import type { TextName } from '../../texts/texts.ts'

/** A dialog on a bar that a card asks the board for. */
export type BarRequest = {
  /** The bar as the person saw it. */
  readonly bar: ListedProductionPlanBar
} & (
  | {
      readonly about:
        | 'approveUnknown'
        | 'heat'
        | 'completeStopped'
        | 'revert'
        | 'scrap'
        | 'cancel'
        | 'labels'
        | 'replan'
        | 'whole'
    }
  | { readonly about: 'override'; readonly findings: readonly Finding[] }
  /** A step of the bar was refused. */
  | { readonly about: 'refusal'; readonly step: TextName; readonly error: Error }
)

export const AskContext = createContext<(asked: BarRequest) => void>(() => {})

/** Return the function that opens a dialog on a bar, after those that are open already. */
export function useAsk(): (asked: BarRequest) => void {
  return useContext(AskContext)
}

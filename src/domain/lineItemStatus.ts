export const lineItemStatuses = ['Open', 'In Progress', 'Completed'] as const
export type LineItemStatus = (typeof lineItemStatuses)[number]

/** A line item's Accepted cuts, across every plan and bar. */
export interface CutCounts {
  readonly accepted: number
  /** Of these, on Started or Completed bars. */
  readonly begun: number
  /** Of these, on Completed bars. */
  readonly completed: number
}

/** The roll-up: a pure function of the facts, so the order in which they arrive cannot matter. */
export const lineItemStatus = ({ accepted, begun, completed }: CutCounts): LineItemStatus => {
  if (accepted > 0 && completed === accepted) return 'Completed'
  return begun > 0 ? 'In Progress' : 'Open'
}

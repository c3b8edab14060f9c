export const lineItemStatuses = ['Open', 'In Progress', 'Completed'] as const
export type LineItemStatus = (typeof lineItemStatuses)[number]

/** The counts of a line item's Accepted cuts, across every plan and bar. */
export interface CutCounts {
  readonly accepted: number
  /** Accepted cuts on Started or Completed bars. */
  readonly begun: number
  /** Accepted cuts on Completed bars. */
  readonly completed: number
}

/** Roll up the status. It depends on the counts alone, so the order of events cannot matter. */
export function lineItemStatus({ accepted, begun, completed }: CutCounts): LineItemStatus {
  if (accepted > 0 && completed === accepted) return 'Completed'
  return begun > 0 ? 'In Progress' : 'Open'
}

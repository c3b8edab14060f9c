/**
 * Acts by which a person answers for steel. A company must be able to name who did them for ten years, like the rest
 * of the technical documentation (Regulation (EU) 305/2011, article 11).
 */
const responsibleTypes: readonly string[] = [
  'BarApproved',
  'FindingsOverridden',
  'CertificateReleased',
  'OrderDispatched',
]

/** For how many years a company must be able to name who did such an act. */
export const responsibleYears = 10

/** Whether an event of this type is such an act of its author. */
export function isResponsibleAct(type: string): boolean {
  return responsibleTypes.includes(type)
}

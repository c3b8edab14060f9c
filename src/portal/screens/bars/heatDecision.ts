/** The heat or certificate that a person has decided to give a bar. */

interface HeatChoices {
  /** The heat as it was read off the steel. */
  readonly typed: string
  /** Recorded heats that look like the typed one, if no recorded heat is exactly as typed. */
  readonly near: readonly string[]
  /** The heat that the person has taken: the typed one, or one of `near`. */
  readonly taken: string | undefined
  /** The certificate that the person has chosen. */
  readonly chosen: string | undefined
}

/** Return what to send, or undefined while the person has not decided. A typed heat counts before a chosen certificate. */
export function heatToSet({ typed, near, taken, chosen }: HeatChoices) {
  if (typed === '') return chosen === undefined ? undefined : { millCertificationId: chosen }
  if (near.length === 0) return { heatNumber: typed }
  const heatNumber = [typed, ...near].find((one) => one === taken)
  return heatNumber === undefined ? undefined : { heatNumber }
}

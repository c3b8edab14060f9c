/** The heat or certificate that a person has decided to give a bar. */

interface HeatChoices {
  /** The heat as it was read off the steel. */
  readonly typed: string
  /** Recorded heats that people take for the typed one, if none is recorded as typed. */
  readonly near: readonly string[]
  /** The typed heat or the one of these that the person has taken. */
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

/**
 * The clocks of this process, for the programs that start it. Every other part is given the ones that it uses:
 * `now` for times that are recorded or shown, `clock` for how long something took or may still take.
 */

/** The wall clock: it may jump when somebody sets it. */
export function now(): Date {
  return new Date()
}

/** Milliseconds from an unknown start: they never run backwards. */
export function clock(): number {
  return performance.now()
}

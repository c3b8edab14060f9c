/**
 * The clocks of this process: `now` for times that are recorded or shown, `clock` for how long something took or may
 * still take. Only programs import them (the service, the command line, the embedded stack). Every other part is given
 * the ones that it uses, so that a spec can set them.
 */

/** The wall clock: it may jump when somebody sets it. */
export function now(): Date {
  return new Date()
}

/** Milliseconds from an unknown start: they never run backwards. */
export function clock(): number {
  return performance.now()
}

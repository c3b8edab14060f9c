/** The result of one check. */
export interface Finding {
  readonly check: string
  /**
   * A `warning` is a choice that the operator may regret: the service works, so it counts as no problem. `unknown` means
   * that the check could not run. Another finding has the reason, so it counts as no problem either.
   */
  readonly status: 'ok' | 'problem' | 'warning' | 'unknown'
  readonly found: string
  /** The advice, with a problem or a warning. */
  readonly todo?: string
}

export function ok(check: string, found: string): Finding {
  return { check, status: 'ok', found }
}

export function problem(check: string, found: string, todo: string): Finding {
  return { check, status: 'problem', found: found.replaceAll(/\s*\n\s*/g, ' '), todo }
}

export function warning(check: string, found: string, todo: string): Finding {
  return { check, status: 'warning', found, todo }
}

export function unknown(check: string, found: string): Finding {
  return { check, status: 'unknown', found }
}

/** Return a duration in a unit that suits people. */
export function duration(milliseconds: number): string {
  if (Math.abs(milliseconds) < 1_000) return `${Math.round(milliseconds)} ms`
  if (Math.abs(milliseconds) < 120_000) return `${(milliseconds / 1_000).toFixed(1)} s`
  return `${Math.round(milliseconds / 60_000)} min`
}

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']

export function sizeText(bytes: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  return `${(bytes / 1_024 ** power).toFixed(power > 2 ? 1 : 0)} ${units[power]}`
}

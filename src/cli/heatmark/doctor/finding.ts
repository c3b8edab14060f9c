/** What one check found. */
export interface Finding {
  readonly check: string
  /** `unknown`: it could not be looked at, for a reason that another finding gives; it counts as no problem. */
  readonly status: 'ok' | 'problem' | 'unknown'
  readonly found: string
  /** With a problem: what to do. */
  readonly todo?: string
}

export function ok(check: string, found: string): Finding {
  return { check, status: 'ok', found }
}

export const problem = (check: string, found: string, todo: string): Finding => ({
  check,
  status: 'problem',
  found: found.replaceAll(/\s*\n\s*/g, ' '),
  todo,
})

export function unknown(check: string, found: string): Finding {
  return { check, status: 'unknown', found }
}

/** How long ago, or how far apart, in a unit that people read. */
export function duration(milliseconds: number): string {
  if (Math.abs(milliseconds) < 1_000) return `${Math.round(milliseconds)} ms`
  if (Math.abs(milliseconds) < 120_000) return `${(milliseconds / 1_000).toFixed(1)} s`
  return `${Math.round(milliseconds / 60_000)} min`
}

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']

export function size(bytes: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  return `${(bytes / 1_024 ** power).toFixed(power > 2 ? 1 : 0)} ${units[power]}`
}

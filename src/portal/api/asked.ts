/**
 * Return what to ask for at the moment that the portal shows, and after how many milliseconds again. The past does not
 * change.
 *
 * @param takesAsOf whether the operation can answer as of a moment
 */
export function askedAt<Asked extends { readonly query?: object }>(
  asOf: string | undefined,
  { takesAsOf, asked, every }: { takesAsOf: boolean; asked: Asked; every: number | false },
): { readonly asked: Asked; readonly repeat: number | false } {
  if (asOf === undefined) return { asked, repeat: every }
  return { asked: takesAsOf ? { ...asked, query: { ...asked.query, asOf } } : asked, repeat: false }
}

/**
 * Return the input of an operation as of the time that the portal shows, and after how many milliseconds to read again.
 * The past does not change, so it is read once.
 *
 * @param takesAsOf whether the operation can answer as of an earlier time
 */
export function inputAsOf<Asked extends { readonly query?: object }>(
  asOf: string | undefined,
  { takesAsOf, asked, every }: { takesAsOf: boolean; asked: Asked; every: number | false },
): { readonly asked: Asked; readonly repeat: number | false } {
  if (asOf === undefined) return { asked, repeat: every }
  return { asked: takesAsOf ? { ...asked, query: { ...asked.query, asOf } } : asked, repeat: false }
}

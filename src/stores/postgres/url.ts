/** Return what is wrong with a DATABASE_URL, or undefined. The text quotes nothing of it: it may hold a password. */
export function postgresUrlFault(url: string): string | undefined {
  if (/^postgres(ql)?:\/\//.test(url) && URL.canParse(url)) return undefined
  return 'must be postgres://user:password@host/database; write @ : / ? # and % in a user or a password as %40 and so on'
}

/** Share time between companies: of those that can be served, the one whose work has taken the least time goes first. */
interface CompanyTurns {
  /** Return the company whose turn it is; undefined when none can be served. */
  next(companies: readonly string[]): string | undefined
  /** Add the time that the work of a company has taken. */
  charge(companyId: string, ms: number): void
}

export function createCompanyTurns(): CompanyTurns {
  /** In milliseconds, of each company that had work at the last look. */
  let used = new Map<string, number>()
  /** The time that the company served last had used. A company that comes later starts here, so it is owed nothing. */
  let level = 0
  return {
    next(companies) {
      // A company that has just finished may have used more than the others, and counts as new when it comes back.
      used = new Map(companies.map((companyId) => [companyId, used.get(companyId) ?? level]))
      const [first] = [...used].sort(([, one], [, other]) => one - other)
      if (!first) return undefined
      level = first[1]
      return first[0]
    },
    charge(companyId, ms) {
      used.set(companyId, (used.get(companyId) ?? level) + ms)
    },
  }
}

import { createContext, useContext } from 'react'

/** The moment as of which the portal shows everything: a time (RFC 3339) or a position. Undefined: now. */
export const MomentContext = createContext<string | undefined>(undefined)

export function useMoment(): string | undefined {
  return useContext(MomentContext)
}

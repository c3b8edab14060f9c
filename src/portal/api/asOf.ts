import { createContext, useContext } from 'react'

/** The time or position as of which the portal shows everything: a time (RFC 3339) or a position. Undefined: now. */
export const AsOfContext = createContext<string | undefined>(undefined)

export function useAsOf(): string | undefined {
  return useContext(AsOfContext)
}

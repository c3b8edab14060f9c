import { createContext, useContext } from 'react'
import { usePerson } from './session.tsx'

/** The company that the address names, or the one that the person used last. */

export const CompanyContext = createContext<string | undefined>(undefined)

export function useCompanyId(): string {
  const companyId = useContext(CompanyContext)
  if (companyId === undefined) throw new Error('The screen is not one of a company.')
  return companyId
}

const storedAs = 'heatmark-company'

/** Return the company to show first; undefined for a person who is no member. */
export function useUsualCompany(): string | undefined {
  const { memberships } = usePerson()
  const last = localStorage.getItem(storedAs)
  return (memberships.find(({ companyId }) => companyId === last) ?? memberships[0])?.companyId
}

/** Return the company that the address names, or else the one to show first; undefined for a person who is no member. */
export function useShownCompany(): string | undefined {
  const usual = useUsualCompany()
  return useContext(CompanyContext) ?? usual
}

export function rememberCompany(companyId: string): void {
  localStorage.setItem(storedAs, companyId)
}

export function pathIn(companyId: string, path = ''): string {
  return `/c/${companyId}${path}`
}

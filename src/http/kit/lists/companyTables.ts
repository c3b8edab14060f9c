import type { CompanyTable } from '../../../proofs/companyExports/tables.ts'
import type { Route } from '../routing/route.ts'
import type { Services } from '../services.ts'

/** The lists of a whole company, as tables of its export. A new list is exported without a further declaration. */

const ofCompany = '/api/company/{companyId}/'
/** Runs are the work of the service. Invitations hold e-mail addresses, which the service knows only while they wait. */
const leftOut = [`${ofCompany}runs`, `${ofCompany}invitations`]

export function companyTables(
  routes: readonly Route[],
  services: Pick<Services, 'rules' | 'ownRules'>,
): readonly CompanyTable[] {
  return routes.flatMap(({ path, table }) => {
    const name = path.startsWith(ofCompany) ? path.slice(ofCompany.length) : '{}'
    if (!table || name.includes('{') || leftOut.includes(path)) return []
    return [
      {
        ...table,
        name: name.replaceAll('/', '-'),
        portions: (reading, companyId, after) => table.portions(reading, companyId, services, after),
      },
    ]
  })
}

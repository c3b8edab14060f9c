import type { CommandContext } from '../../../commands/executor/command.ts'
import type { Author } from '../../../commands/executor/persons.ts'
import type { Services } from '../services.ts'
import { ifMatch } from './conditional.ts'
import { keyIn } from './idempotency.ts'
import { type Exchange, pathWith, type Route } from './route.ts'

/** The context of a command: who gives it, for which request, and under which condition on its revision. */

/** Return the caller as the author of what the request records. */
export function authorOf({ caller }: Exchange): Author {
  const { id, name, kind } = caller!
  return { id, name, kind }
}

export async function contextOf(
  declaration: Conditional,
  exchange: Exchange,
  services: Services,
): Promise<CommandContext> {
  const { route, traceId, params, headers } = exchange
  const actor = authorOf(exchange)
  const key = keyIn(headers)
  // Every route that takes this member declares it by `performed`.
  const { performedAt } = { ...(exchange.body as { readonly performedAt?: string } | undefined) }
  return {
    actor,
    correlationId: traceId,
    ...(performedAt !== undefined && { performedAt }),
    ...(key !== undefined && {
      idempotency: {
        key,
        caller: actor.id,
        request: `${route.method.toUpperCase()} ${pathWith(route.path, params).replace(/^\/api/, '')}`,
        requestHash: exchange.requestHash(),
      },
    }),
    ...(await conditionOf(declaration, exchange, services)),
  }
}

type Condition = Pick<CommandContext, 'ifMatch' | 'ifMatchRequired'>

/** Return the condition on the record's revision: the one of the request, else the one that the company demands. */
async function conditionOf(
  declaration: Conditional,
  { headers, params }: Exchange,
  { settingsOf }: Services,
): Promise<Condition> {
  const sent = headers['if-match'] as string | undefined
  if (sent !== undefined) return { ifMatch: ifMatch(sent) }
  if (!mayRequireIfMatch(declaration)) return {}
  const { requireIfMatch } = await settingsOf(params.companyId!)
  return requireIfMatch ? { ifMatchRequired: true } : {}
}

type Conditional = Pick<Route, 'access'> & { readonly conditional?: boolean | 'each' }

/** True if the route changes records of a company. The company may then require If-Match. */
export function mayRequireIfMatch({ conditional = false, ...route }: Conditional): boolean {
  return conditional !== false && isOfCompany(route)
}

export function isOfCompany({ access }: Pick<Route, 'access'>): boolean {
  return typeof access === 'object' && 'company' in access
}

import { Refusal } from '../../domain/kernel/refusal.ts'
import { isFailure } from '../../lib/failure.ts'
import type { ProblemCode } from '../../problems/catalogue.ts'
import { rewoundTodo } from '../../projections/engine/operations/conditions.ts'
import { StoreUnavailable } from '../../stores/eventStore.ts'
import { isRefused, PostgresUnavailable } from '../../stores/postgres/postgres.ts'
import { NoReadModels } from './readModels.ts'
import { areEmbedded } from './stores.ts'

/** Advice for a part that does not answer. It depends on whether the part belongs to the embedded stack. */
const startStack =
  'start the embedded stack, to which it belongs ("npm start"); if that runs, look at its log'

const grantRight =
  'let an administrator of the store set this access list ("Set up" in docs/first-start.md); a service that runs continues by itself'

export function adviceOnEventStore(error: unknown, isEmbedded: boolean): string {
  if (error instanceof StoreUnavailable && error.code === 'store-forbids') return grantRight
  return isEmbedded ? startStack : reach('EVENTSTORE_URL is right: host, port, user and password, tls')
}

export function reachPostgres(isEmbedded: boolean): string {
  return isEmbedded
    ? startStack
    : reach('DATABASE_URL is right: host, port, database, user and password, sslmode')
}

export function reachProvider(isEmbedded: boolean): string {
  return isEmbedded ? startStack : reach('OIDC_ISSUER and OIDC_JWKS_URL are right')
}

const reachDocuments = reach('DOCUMENTS_URL, DOCUMENTS_ENDPOINT and the credentials are those of the service')

const setting = 'set it in the environment of the service, repeat the command, and restart the service'

/** The read models do not follow the event store. */
const behindCodes: readonly ProblemCode[] = ['read-model-behind', 'erasure-pending', 'revocation-pending']

/** Return what to do about the error of a command, where its message does not say it. */
export function adviceOn(error: unknown, env: NodeJS.ProcessEnv): string | undefined {
  if (error instanceof NoReadModels) return error.todo
  if (isFailure(error, 'event-store-went-back')) return rewoundTodo
  const embedded = areEmbedded(env)
  if (error instanceof StoreUnavailable) return adviceOnEventStore(error, embedded.eventStore)
  if (error instanceof PostgresUnavailable) return reachPostgres(embedded.postgres)
  if (isFailure(error, 'objects-not-set')) return setting
  if (isFailure(error, 'objects-unavailable', 'objects-of-another-store')) return reachDocuments
  if (error instanceof Refusal && behindCodes.includes(error.code))
    return 'check that a process of this release has the role projector ("heatmark status"), then repeat the command'
  if (isRefused(error))
    return 'the database user of DATABASE_URL may not do this: use the user of the service, or GRANT it the right'
  return undefined
}
function reach(settings: string): string {
  return `check that it runs and can be reached from here, and that ${settings}`
}

import { messageOf } from '../../lib/failure.ts'
import { StoreUnavailable } from '../../stores/eventStore.ts'
import { type PostgresUnavailable, refusalOf } from '../../stores/postgres/postgres.ts'

/**
 * Return what is wrong with the settings, when a store has answered that it does not work with them; undefined when
 * waiting may help.
 */
export function settingFault(error: StoreUnavailable | PostgresUnavailable): string | undefined {
  if (error instanceof StoreUnavailable)
    return error.code === 'store-refuses-user'
      ? `EVENTSTORE_URL: ${error.message}. Name a user of the event store, and the right password.`
      : undefined
  const refusal = refusalOf(error)
  return refusal && `DATABASE_URL: ${messageOf(error)}. ${todos[refusal]}`
}

const todos = {
  user: 'Name a user of the database, and the right password.',
  database: 'Create the database, owned by the user of the service, or name one that is there.',
  tls: 'Take sslmode out of the address, or let the server offer TLS.',
}

import { EventStoreDBClient } from '@eventstore/db-client'
import { withLocalCredential } from '../../src/stores/eventStoreDb/client.ts'

/** Open EventStoreDB's own client, which appends in batches, with the credential of a local node. */
export function officialClient(url: string): EventStoreDBClient {
  return withLocalCredential(EventStoreDBClient.connectionString(url), url)
}

import { EventStoreDBClient } from '@eventstore/db-client'
import grpc from '@grpc/grpc-js'
import { expect, it } from 'vitest'
import { isClientFault } from '../../../src/stores/eventStoreDb/clientFault.ts'

function thrownBy(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

/** Our options, which fail when gRPC reads them. */
const failing: grpc.ClientOptions = {
  get interceptors(): never {
    throw new Error('ours')
  },
}

it.each<[string, unknown, boolean]>([
  ['the client', thrownBy(() => EventStoreDBClient.connectionString('nonsense')), true],
  ['gRPC below it', thrownBy(() => new grpc.Channel(1 as never, {} as never, {})), true],
  [
    'our code that gRPC calls',
    thrownBy(() => new grpc.Client('a:1', grpc.credentials.createInsecure(), failing)),
    false,
  ],
  ['our code', new Error('ours'), false],
  ['Node', thrownBy(() => new URL('nonsense')), false],
  ['nobody, because it has no stack', 'Impossible situation', false],
])('an error that was thrown by %s is told from others', (_, error, expected) => {
  expect(isClientFault(error)).toBe(expected)
})

import { EventStoreDBClient } from '@eventstore/db-client'
import type { Metadata } from '@grpc/grpc-js'
import { ifInTime, inTime } from '../../lib/inTime.ts'
import { storeAnswersWithinMs } from '../eventStore.ts'
import { connectionString, localAuthorization } from './url.ts'

/** EventStoreDB's client, opened and closed in one place, and the limit for each of its answers. */

/** Limit for the end of the client's open streams. */
const disposeWithinMs = 500

/** @throws Error with one line, without the url: it may hold a password */
export function openClient(url: string): EventStoreDBClient {
  try {
    const client = EventStoreDBClient.connectionString(connectionString(url))
    return withPlainAppends(withLocalCredential(client, url))
  } catch (error) {
    // The client's own error holds the whole address.
    if (!(error instanceof Error && 'connectionString' in error)) throw error
    const { expected } = error as { expected?: unknown }
    throw new Error(`the address of the event store is wrong: this was expected: ${expected}`)
  }
}

/**
 * Let the client append by a call for each append. It keeps one bank of all batch appends that wait, of every stream and
 * client of the process: a stream that breaks empties it, and the next answer on another stream then throws out of any
 * handler. It has no option for this; it asks `supports` before each append.
 */
function withPlainAppends(client: EventStoreDBClient): EventStoreDBClient {
  return Object.assign(client, { supports: async () => false })
}

/** The part of the client that gives each call its metadata. It is no public member. */
interface CallArguments {
  callArguments(...how: unknown[]): [Metadata, ...rest: unknown[]]
}

/** Let the client send user and password to this machine without TLS, which it never does by itself. */
function withLocalCredential(client: EventStoreDBClient, url: string): EventStoreDBClient {
  const authorization = localAuthorization(url)
  if (!authorization) return client
  const { callArguments } = client as unknown as CallArguments
  const authorized: CallArguments = {
    callArguments(...how) {
      const [metadata, ...rest] = callArguments(...how)
      metadata.set('authorization', authorization)
      return [metadata, ...rest]
    },
  }
  return Object.assign(client, authorized)
}

/** Close the client, and do not wait long for its streams: all have been cancelled, and some never say that they ended. */
export async function closeClient(client: EventStoreDBClient): Promise<void> {
  await ifInTime(client.dispose(), disposeWithinMs)
}

/** @param over ends the wait early, because the client has been replaced */
export function answerInTime<Answer>(answer: Promise<Answer>, over?: AbortSignal): Promise<Answer> {
  const late = () =>
    new Error(over?.aborted ? 'its client has failed' : `no answer for ${storeAnswersWithinMs} ms`)
  return inTime(answer, storeAnswersWithinMs, late, over)
}

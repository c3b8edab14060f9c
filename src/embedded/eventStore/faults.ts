import { Metadata, status } from '@grpc/grpc-js'

/** The end of a call with a status other than OK. Its trailers tell a client which error it is. */
export interface Fault {
  code: status
  details: string
  metadata: Metadata
}

/** The most bytes of data in one append. A 23.10 server does not count types and metadata. */
export const MAX_APPEND_SIZE = 1024 * 1024

const REQUIRED_METADATA = 'type,content-type'

export function maximumAppendSizeExceeded(): Fault {
  const details = `Maximum Append Size of ${MAX_APPEND_SIZE} Exceeded.`
  return invalid(details, 'maximum-append-size-exceeded', { 'maximum-append-size': String(MAX_APPEND_SIZE) })
}

export function requiredMetadataPropertyMissing(property: string): Fault {
  const details = `Required Metadata Property '${property}' is missing`
  return invalid(details, 'missing-required-metadata-property', {
    'required-metadata-properties': REQUIRED_METADATA,
  })
}

export function invalidArgument(details: string): Fault {
  return { code: status.INVALID_ARGUMENT, details, metadata: new Metadata() }
}

/** The disk takes no more data, so nothing was written. Clients recognise these words. */
const STORE_FULL = 'The event store is full: its disk takes no more data.'

export function storeFull(): Fault {
  return { code: status.RESOURCE_EXHAUSTED, details: STORE_FULL, metadata: new Metadata() }
}

/** The deadline passed before the write was carried out. */
export function timedOut(): Fault {
  return { code: status.ABORTED, details: 'Operation timed out', metadata: new Metadata() }
}

export function consumerTooSlow(): Fault {
  const details = 'Consumer too slow to handle event while live. Client resubscription required.'
  return { code: status.ABORTED, details, metadata: new Metadata() }
}

export function unreadable(details: string): Fault {
  return { code: status.UNKNOWN, details, metadata: new Metadata() }
}

/**
 * The answer to a request that a real server does not foresee: an empty stream name, an id that is not a
 * UUID, a filter that is not a regular expression.
 */
export function handlerFailed(): Fault {
  return { code: status.UNKNOWN, details: 'Exception was thrown by handler.', metadata: new Metadata() }
}

/** End a read or a subscription when the node stops. */
export function stoppedFault(): Fault {
  return { code: status.INTERNAL, details: 'The event store node is stopping.', metadata: new Metadata() }
}

/** Refuse an append when the node stops; the client connects anew. */
export function unavailable(): Fault {
  return { code: status.UNAVAILABLE, details: 'Server Is Not Ready', metadata: new Metadata() }
}

function invalid(details: string, exception: string, trailers: Record<string, string>): Fault {
  const metadata = new Metadata()
  metadata.set('exception', exception)
  for (const [key, value] of Object.entries(trailers)) metadata.set(key, value)
  return { code: status.INVALID_ARGUMENT, details, metadata }
}

import { Metadata, status } from '@grpc/grpc-js'

/** A call's end with a status other than OK; the trailers say to a client which error it is. */
export interface Fault {
  code: status
  details: string
  metadata: Metadata
}

/** The most bytes of types, data and metadata in one append. */
export const MAX_APPEND_SIZE = 1024 * 1024

const REQUIRED_METADATA = 'type,content-type'

export function streamDeleted(stream: string): Fault {
  return fault(status.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, 'stream-deleted', {
    'stream-name': stream,
  })
}

/** Of a delete or tombstone. The revisions as numbers: -2 any, -1 none, -4 exists. */
export function wrongExpectedVersion(stream: string, expected: number, actual: number): Fault {
  const details =
    'Delete failed due to WrongExpectedVersion. ' +
    `Stream: ${stream}, Expected version: ${expected}, Actual version: ${actual}`
  return fault(status.FAILED_PRECONDITION, details, 'wrong-expected-version', {
    'stream-name': stream,
    'expected-version': String(expected),
    'actual-version': String(actual),
  })
}

export function accessDenied(): Fault {
  return fault(status.PERMISSION_DENIED, 'Access Denied', 'access-denied')
}

export function maximumAppendSizeExceeded(): Fault {
  const details = `Maximum Append Size of ${MAX_APPEND_SIZE} Exceeded.`
  return fault(status.INVALID_ARGUMENT, details, 'maximum-append-size-exceeded', {
    'maximum-append-size': String(MAX_APPEND_SIZE),
  })
}

export function requiredMetadataPropertyMissing(property: string): Fault {
  const details = `Required Metadata Property '${property}' is missing`
  return fault(status.INVALID_ARGUMENT, details, 'missing-required-metadata-property', {
    'required-metadata-properties': REQUIRED_METADATA,
  })
}

export function invalidArgument(details: string): Fault {
  return { code: status.INVALID_ARGUMENT, details, metadata: new Metadata() }
}

/** The write was not carried out because its deadline had passed. */
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

/** How a read or subscription ends when the node is stopped. */
export function stopped(): Fault {
  return { code: status.INTERNAL, details: 'The event store node is stopping.', metadata: new Metadata() }
}

/** How appends are turned away when the node is stopped; a client connects anew. */
export function unavailable(): Fault {
  return { code: status.UNAVAILABLE, details: 'Server Is Not Ready', metadata: new Metadata() }
}

function fault(
  code: status,
  details: string,
  exception: string,
  trailers: Record<string, string> = {},
): Fault {
  const metadata = new Metadata()
  metadata.set('exception', exception)
  for (const [key, value] of Object.entries(trailers)) metadata.set(key, printable(value))
  return { code, details, metadata }
}

/** Trailers hold printable ASCII only; the rest is percent-encoded. */
function printable(value: string): string {
  return value.replace(/[^\x20-\x7e]+/gu, (part) => encodeURIComponent(part.toWellFormed()))
}

import type shared from '@eventstore/db-client/generated/shared_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import { type Fault, handlerFailed, invalidArgument, requiredMetadataPropertyMissing } from './faults.ts'
import { compileFilter } from './filter.ts'
import type { ExpectedRevision, ProposedEvent } from './storage/types.ts'

/**
 * Turns requests from the wire into plain objects. A request that the protocol has an answer for is refused
 * with a `Fault`, any other wrong request with an `Error`.
 */

/** Events that a filtered subscription considers between checkpoints, to be multiplied by its multiplier. */
const DEFAULT_SEARCH_WINDOW = 32

export interface ReadOptions {
  /** Undefined for `$all`. */
  stream: string | undefined
  direction: 'forwards' | 'backwards'
  /** A revision, or for `$all` a position. */
  from: number | 'start' | 'end'
  /** Undefined for a subscription. */
  limit: number | undefined
  /** A regular expression on the event type. */
  filter: string | undefined
  /** Considered events between two checkpoints; 0 without a filter. */
  checkpointEvery: number
}

export function decodeRead(request: streams.ReadReq): ReadOptions {
  const options = request.getOptions()
  if (!options) throw invalidArgument('The read has no options.')
  const filter = decodeFilter(options.getFilter())
  const limit = options.hasSubscription() ? undefined : toNumber(options.getCount())
  const start = decodeStart(options)
  if (limit === undefined && start.stream !== undefined)
    throw invalidArgument('This node has subscriptions to $all alone.')
  if (limit === 0 && start.stream !== undefined)
    throw new Error('A read of a stream cannot have a count of 0.')
  return {
    ...start,
    direction:
      options.getReadDirection() === streams.ReadReq.Options.ReadDirection.BACKWARDS
        ? 'backwards'
        : 'forwards',
    limit,
    filter,
    checkpointEvery: filter ? decodeCheckpointInterval(options.getFilter()!) : 0,
  }
}

/** The largest signed 64-bit integer, which a real server counts revisions with. */
const LAST_REVISION = 2n ** 63n - 1n

export function decodeExpected(options: streams.AppendReq.Options): ExpectedRevision {
  if (options.hasRevision()) return toNumber(options.getRevision())
  if (options.hasNoStream()) return 'noStream'
  if (options.hasAny()) return 'any'
  throw invalidArgument('The expected revision is not one that this node knows.')
}

export function decodeStreamName(identifier: shared.StreamIdentifier | undefined): string {
  const name = identifier ? Buffer.from(identifier.getStreamName_asU8()).toString() : ''
  if (name === '') throw new Error('The name of the stream is empty.')
  return name
}

export function decodeEvent(message: streams.AppendReq.ProposedMessage): ProposedEvent {
  const properties = message.getMetadataMap()
  return {
    id: decodeUuid(message.getId()),
    type: requireProperty(properties.get('type'), 'type'),
    isJson: requireProperty(properties.get('content-type'), 'content-type') === 'application/json',
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  }
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/

/** A UUID in lower case, from either of its two forms on the wire. */
function decodeUuid(uuid: shared.UUID | undefined): string {
  const structured = uuid?.getStructured()
  const text = structured
    ? fromBits(structured.getMostSignificantBits(), structured.getLeastSignificantBits())
    : (uuid?.getString().toLowerCase() ?? '')
  if (!UUID.test(text)) throw new Error(`'${text}' is not a UUID.`)
  return text
}

/** The answer to a request that could not be decoded, as the end of its call. */
export function toFault(error: unknown): Fault {
  return isFault(error) ? error : handlerFailed()
}

function decodeStart(options: streams.ReadReq.Options): Pick<ReadOptions, 'stream' | 'from'> {
  const all = options.getAll()
  if (all) {
    const position = all.getPosition()
    const from = position ? toNumber(position.getCommitPosition()) : all.hasEnd() ? 'end' : 'start'
    return { stream: undefined, from }
  }
  const stream = options.getStream()
  if (!stream) throw invalidArgument('The read names neither a stream nor $all.')
  if (BigInt(stream.getRevision()) > LAST_REVISION) throw new Error('The revision is out of range.')
  const from = stream.hasRevision() ? toNumber(stream.getRevision()) : stream.hasEnd() ? 'end' : 'start'
  return { stream: decodeStreamName(stream.getStreamIdentifier()), from }
}

function decodeFilter(options: streams.ReadReq.Options.FilterOptions | undefined): string | undefined {
  if (!options) return undefined
  const regex = options.getEventType()?.getRegex()
  if (!regex) throw invalidArgument('This node filters by a regular expression on the event type alone.')
  // Throws now if it is not a regular expression, and not at the first event.
  compileFilter(regex)
  return regex
}

function decodeCheckpointInterval(options: streams.ReadReq.Options.FilterOptions): number {
  const window = options.hasMax() ? options.getMax() : DEFAULT_SEARCH_WINDOW
  const interval = window * options.getCheckpointintervalmultiplier()
  if (interval > 0) return interval
  throw new Error('The checkpoint interval must be greater than 0.')
}

function isFault(error: unknown): error is Fault {
  return typeof error === 'object' && error !== null && 'code' in error && 'metadata' in error
}

/** 64-bit integers come as text. Numbers above 2⁵³ are beyond the end of any log. */
function toNumber(text: string): number {
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER)
}

function fromBits(most: string, least: string): string {
  const hex = [most, least]
    .map((bits) => BigInt.asUintN(64, BigInt(bits)).toString(16).padStart(16, '0'))
    .join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

function requireProperty(value: string | undefined, property: string): string {
  if (value === undefined) throw requiredMetadataPropertyMissing(property)
  return value
}

import serverFeatures from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js'
import type serverFeaturesPb from '@eventstore/db-client/generated/serverfeatures_pb.js'
import type shared from '@eventstore/db-client/generated/shared_pb.js'
import streams from '@eventstore/db-client/generated/streams_grpc_pb.js'
import type streamsPb from '@eventstore/db-client/generated/streams_pb.js'
import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData } from '@grpc/grpc-js'
import { type AppendCall, append } from './append.ts'
import { stoppedFault } from './faults.ts'
import type { LiveEvents } from './liveEvents.ts'
import { supportedMethods } from './nodeInfo.ts'
import { createOutlet, type Outlet, type ReadCall } from './outlet.ts'
import { read } from './read.ts'
import { decodeRead, type ReadOptions, toFault } from './requests.ts'
import type { Store } from './storage/store.ts'
import { subscribe } from './subscribe.ts'

interface ServerOptions {
  /** In gRPC's form: `unix:/path` or `host:port`. Port 0 takes any free one. */
  address: string
  store: Store
  liveEvents: LiveEvents
  /** Events that a live subscriber may fall behind before it is dropped. */
  liveBuffer: number
  newId: () => string
}

interface EventStoreServer {
  /** 1 for a socket. */
  port: number
  /** Ends reads and subscriptions with status 13, answers the appends under way, and stops listening. */
  stop(): Promise<void>
}

/** As on a real server, so that an append above the limit gets its own error and not the transport's. */
const MAX_MESSAGE = 17 * 1024 * 1024

/** Milliseconds that a stop waits for clients that do not take their last messages. */
const STOP_PATIENCE = 2000

/**
 * Serve EventStoreDB's protocol.
 * @throws Error of one line when the address cannot be listened on
 */
export async function startServer(options: ServerOptions): Promise<EventStoreServer> {
  const open: OpenCalls = { outlets: new Set(), appends: new Set() }

  const server = new Server({
    'grpc.max_receive_message_length': MAX_MESSAGE,
    'grpc.max_send_message_length': -1,
  })
  server.addService(readsAreEncoded(), streamsHandlers(options, open))
  server.addService(serverFeatures.ServerFeaturesService, {
    getSupportedMethods: (_call: UnaryCall, answer: sendUnaryData<serverFeaturesPb.SupportedMethods>) =>
      answer(null, supportedMethods()),
  })

  const port = await listen(server, options.address)
  return {
    port,
    async stop() {
      const closed = shutDown(server)
      for (const outlet of open.outlets) outlet.fail(stoppedFault())
      for (const end of open.appends) end()
      await closed
    },
  }
}

type UnaryCall = ServerUnaryCall<shared.Empty, unknown>

/** The calls that a stop has to end. */
interface OpenCalls {
  outlets: Set<Outlet>
  appends: Set<() => void>
}

function streamsHandlers(options: ServerOptions, open: OpenCalls) {
  return {
    read: (call: ReadCall) => openRead(call, options, open),
    append: (call: AppendCall, answer: sendUnaryData<streamsPb.AppendResp>) => {
      const end = append(options.store, call, answer)
      open.appends.add(end)
      call.on('close', () => open.appends.delete(end))
    },
  }
}

function openRead(
  call: ReadCall,
  { store, liveEvents, liveBuffer, newId }: ServerOptions,
  open: OpenCalls,
): void {
  const outlet = createOutlet(call)
  let request: ReadOptions
  try {
    request = decodeRead(call.request)
  } catch (error) {
    outlet.fail(toFault(error))
    return
  }
  open.outlets.add(outlet)
  outlet.onOver(() => open.outlets.delete(outlet))
  const { limit } = request
  if (limit === undefined)
    void subscribe(request, { readPage: store.read, liveEvents, liveBuffer, newId }, outlet)
  else void read({ ...request, limit }, store.read, outlet)
}

/** The service whose `ReadResp` messages are passed through as the bytes that the storage has encoded. */
function readsAreEncoded() {
  const passThrough = ({ buffer, byteOffset, length }: Uint8Array) => Buffer.from(buffer, byteOffset, length)
  return {
    ...streams.StreamsService,
    read: { ...streams.StreamsService.read, responseSerialize: passThrough },
  }
}

const faults: [sign: string, reason: string][] = [
  ['EADDRINUSE', 'the port is in use'],
  ['EINVAL', 'the path is too long for a socket; choose a data directory with a shorter path'],
]

function listen(server: Server, address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync(address, ServerCredentials.createInsecure(), (error, bound) => {
      if (!error) return resolve(bound)
      const [, known] = faults.find(([sign]) => error.message.includes(sign)) ?? []
      reject(new Error(`cannot listen on ${address}: ${known ?? error.message.replaceAll('\n', ' ')}`))
    })
  })
}

function shutDown(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const impatience = setTimeout(() => server.forceShutdown(), STOP_PATIENCE)
    server.tryShutdown(() => {
      clearTimeout(impatience)
      resolve()
    })
  })
}

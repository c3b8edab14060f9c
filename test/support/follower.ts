import { createRequire } from 'node:module'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import {
  Metadata,
  Server,
  ServerCredentials,
  type ServerWritableStream,
  type ServiceDefinition,
  status,
} from '@grpc/grpc-js'

const generated = createRequire(import.meta.url)
const { StreamsService } = generated('@eventstore/db-client/generated/streams_grpc_pb.js') as {
  StreamsService: ServiceDefinition
}

export interface Follower {
  readonly url: string
  /** The reads that it got, each with whether it required the leader. */
  readonly asked: { readonly requiresLeader: boolean }[]
  stop(): void
}

/** A follower that has no event yet, beside a leader that has all. */
export async function startFollower(leaderUrl: string): Promise<Follower> {
  const asked: Follower['asked'][number][] = []
  const server = new Server()
  server.addService(StreamsService, {
    read(call: Read) {
      const requiresLeader = call.metadata.get('requires-leader').includes('true')
      asked.push({ requiresLeader })
      if (requiresLeader) call.emit('error', notLeader(Number(/:(\d+)\?/.exec(leaderUrl)![1])))
      else {
        call.write(notFound())
        call.end()
      }
    },
  })
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  )
  return { url: leaderUrl.replace(/:\d+\?/, `:${port}?`), asked, stop: () => server.forceShutdown() }
}

type Read = ServerWritableStream<streams.ReadReq, streams.ReadResp>

function notFound(): streams.ReadResp {
  const name = new shared.StreamIdentifier()
  name.setStreamName(Buffer.from('lagging'))
  const missing = new streams.ReadResp.StreamNotFound()
  missing.setStreamIdentifier(name)
  const response = new streams.ReadResp()
  response.setStreamNotFound(missing)
  return response
}

/** A follower's answer to a request that requires the leader. */
function notLeader(leaderPort: number) {
  const metadata = new Metadata()
  metadata.set('exception', 'not-leader')
  metadata.set('leader-endpoint-host', '127.0.0.1')
  metadata.set('leader-endpoint-port', String(leaderPort))
  return { code: status.NOT_FOUND, details: 'Leader info available', metadata }
}

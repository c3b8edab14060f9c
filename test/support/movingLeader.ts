import { once } from 'node:events'
import * as http2 from 'node:http2'
import type { AddressInfo } from 'node:net'
import gossip from '@eventstore/db-client/generated/gossip_pb.js'
import { status } from '@grpc/grpc-js'

/** Nodes of a cluster whose leader the spec moves. All of them pass calls on to one event store. */
export interface MovingLeader {
  /** The connection string, which names every node. */
  readonly url: string
  /** Let the next node lead. The former leader refuses calls from now on that require the leader, and names the new one. */
  move(): void
  /** Let nobody lead, and end the calls under way at the leader as a node does that resigns. */
  resign(): void
  /** Break the connections of every node that does not lead, or of all nodes. */
  breakOff(which?: 'followers' | 'all'): void
  /** End the appends that are under way. Their events may be recorded: the client does not learn of it. */
  resetAppends(): void
  close(): Promise<void>
}

interface Node {
  readonly port: number
  readonly sessions: Set<http2.Http2Session>
  /** The calls under way, each with its path. */
  readonly calls: Map<http2.ServerHttp2Stream, string>
  close(): void
}

/** @param count how many nodes there are */
export async function startMovingLeader(targetUrl: string, count = 3): Promise<MovingLeader> {
  const { origin } = new URL(targetUrl.replace(/^esdb/, 'http'))
  let session: http2.ClientHttp2Session | undefined
  /** A server ends a connection on which many calls were reset. Then the next call takes another one. */
  const connectStore = () => {
    if (!session || session.closed || session.destroyed) session = http2.connect(origin).on('error', () => {})
    return session
  }
  const nodes: Node[] = []
  let place = 0
  let leader: Node | undefined
  const answer: Answer = (node, call, headers) => {
    const path = String(headers[':path'])
    if (path.endsWith('.Gossip/Read')) return tell(call, members(nodes, leader))
    if (headers['requires-leader'] === 'true' && node !== leader) return refuse(call, leader)
    node.calls.set(call, path)
    call.on('close', () => node.calls.delete(call))
    passOn(call, headers, connectStore())
  }
  for (let n = 0; n < count; n += 1) nodes.push(await startNode(answer))
  leader = nodes[0]

  return {
    url: targetUrl.replace(/127\.0\.0\.1:\d+/, nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')),
    move() {
      place = (place + 1) % nodes.length
      leader = nodes[place]
    },
    resign() {
      const calls = [...(leader?.calls.keys() ?? [])]
      leader = undefined
      for (const call of calls) end(call, notReady)
    },
    breakOff(which = 'followers') {
      const broken = which === 'all' ? nodes : nodes.filter((node) => node !== leader)
      for (const session of broken.flatMap(({ sessions }) => [...sessions])) session.destroy()
    },
    resetAppends() {
      for (const [call, path] of nodes.flatMap(({ calls }) => [...calls]))
        if (path.endsWith('Append')) call.close(http2.constants.NGHTTP2_INTERNAL_ERROR)
    },
    async close() {
      for (const node of nodes) node.close()
      session?.destroy()
    },
  }
}

type Answer = (node: Node, call: http2.ServerHttp2Stream, headers: http2.IncomingHttpHeaders) => void

async function startNode(answer: Answer): Promise<Node> {
  const server = http2.createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const node: Node = {
    port: (server.address() as AddressInfo).port,
    sessions: new Set(),
    calls: new Map(),
    close() {
      server.close()
      for (const session of node.sessions) session.destroy()
    },
  }
  server.on('session', (session) => {
    node.sessions.add(session)
    session.on('error', () => {}).on('close', () => node.sessions.delete(session))
    session.on('stream', (call: http2.ServerHttp2Stream, headers) => {
      call.on('error', () => {})
      answer(node, call, headers)
    })
  })
  return node
}

function passOn(
  call: http2.ServerHttp2Stream,
  headers: http2.IncomingHttpHeaders,
  store: http2.ClientHttp2Session,
): void {
  const { ':authority': _, ...named } = headers
  const asked = store.request(named).on('error', () => call.close(http2.constants.NGHTTP2_INTERNAL_ERROR))
  let trailers: http2.IncomingHttpHeaders = {}
  call.pipe(asked)
  asked.on('response', (answered, flags) => {
    if (call.headersSent || call.destroyed) return
    const endStream = (flags & http2.constants.NGHTTP2_FLAG_END_STREAM) !== 0
    call.respond(answered, endStream ? { endStream } : { waitForTrailers: true })
    call.on('wantTrailers', () => call.sendTrailers(trailers))
  })
  asked.on('trailers', (given) => {
    trailers = given
  })
  asked.on('data', (chunk) => call.writable && call.write(chunk))
  asked.on('end', () => call.writable && call.end())
  call.on('close', () => asked.close())
}

/** End a call with this status, whether its answer has begun or not. */
function end(call: http2.ServerHttp2Stream, trailers: http2.OutgoingHttpHeaders): void {
  if (call.destroyed) return
  if (call.headersSent) {
    call.removeAllListeners('wantTrailers').on('wantTrailers', () => call.sendTrailers(trailers))
    call.end()
  } else call.respond({ ...answered, ...trailers }, { endStream: true })
}

const answered = { ':status': 200, 'content-type': 'application/grpc+proto' } as const

const notReady = { 'grpc-status': status.UNAVAILABLE, 'grpc-message': 'Server Is Not Ready' }

function refuse(call: http2.ServerHttp2Stream, leader: Node | undefined): void {
  const notLeader = { 'grpc-status': status.NOT_FOUND, exception: 'not-leader' }
  const named = { 'leader-endpoint-host': '127.0.0.1', 'leader-endpoint-port': String(leader?.port) }
  end(call, leader ? { ...notLeader, ...named } : notReady)
}

/** Answer with one message. */
function tell(call: http2.ServerHttp2Stream, message: { serializeBinary(): Uint8Array }): void {
  const bytes = message.serializeBinary()
  const frame = Buffer.alloc(5)
  frame.writeUInt32BE(bytes.length, 1)
  call.respond(answered, { waitForTrailers: true })
  call.on('wantTrailers', () => call.sendTrailers({ 'grpc-status': status.OK }))
  call.end(Buffer.concat([frame, bytes]))
}

function members(nodes: readonly Node[], leader: Node | undefined): gossip.ClusterInfo {
  const { LEADER, FOLLOWER, UNKNOWN } = gossip.MemberInfo.VNodeState
  const info = new gossip.ClusterInfo()
  for (const node of nodes) {
    const place = new gossip.EndPoint()
    place.setAddress('127.0.0.1')
    place.setPort(node.port)
    const member = new gossip.MemberInfo()
    member.setHttpEndPoint(place)
    member.setIsAlive(true)
    member.setState(!leader ? UNKNOWN : node === leader ? LEADER : FOLLOWER)
    info.addMembers(member)
  }
  return info
}

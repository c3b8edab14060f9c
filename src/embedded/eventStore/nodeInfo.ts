import gossip from '@eventstore/db-client/generated/gossip_pb.js'
import serverFeatures from '@eventstore/db-client/generated/serverfeatures_pb.js'
import shared from '@eventstore/db-client/generated/shared_pb.js'

/** The version of EventStoreDB whose behaviour this node has. */
const SERVER_VERSION = '23.10.0.0'

const METHODS: [service: string, method: string, features: string[]][] = [
  ['event_store.client.streams.streams', 'append', []],
  ['event_store.client.streams.streams', 'batchappend', []],
  ['event_store.client.streams.streams', 'delete', []],
  ['event_store.client.streams.streams', 'read', ['position', 'events']],
  ['event_store.client.streams.streams', 'tombstone', []],
  ['event_store.client.gossip.gossip', 'read', []],
  ['event_store.client.server_features.serverfeatures', 'getsupportedmethods', []],
]

/** The methods that a client may call. It asks once, before its first append. */
export function supportedMethods() {
  const supported = new serverFeatures.SupportedMethods()
  supported.setEventStoreServerVersion(SERVER_VERSION)
  for (const [service, name, features] of METHODS) {
    const method = new serverFeatures.SupportedMethod()
    method.setServiceName(service)
    method.setMethodName(name)
    method.setFeaturesList(features)
    supported.addMethods(method)
  }
  return supported
}

/** A cluster of this node alone, as its leader. Clients that were given several hosts ask for it. */
export function clusterInfo(node: { instanceId: string; host: string; port: number; now: Date }) {
  const id = new shared.UUID()
  id.setString(node.instanceId)
  const endPoint = new gossip.EndPoint()
  endPoint.setAddress(node.host)
  endPoint.setPort(node.port)
  const member = new gossip.MemberInfo()
  member.setInstanceId(id)
  // .NET ticks: tenths of microseconds.
  member.setTimeStamp(`${node.now.getTime()}0000`)
  member.setState(gossip.MemberInfo.VNodeState.LEADER)
  member.setIsAlive(true)
  member.setHttpEndPoint(endPoint)
  const cluster = new gossip.ClusterInfo()
  cluster.addMembers(member)
  return cluster
}

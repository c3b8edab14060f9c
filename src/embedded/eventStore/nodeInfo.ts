import serverFeatures from '@eventstore/db-client/generated/serverfeatures_pb.js'

/** The version of EventStoreDB whose behaviour this node has. */
const SERVER_VERSION = '23.10.0.0'

const METHODS: [service: string, method: string, features: string[]][] = [
  ['event_store.client.streams.streams', 'append', []],
  ['event_store.client.streams.streams', 'read', ['position', 'events']],
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

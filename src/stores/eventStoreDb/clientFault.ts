/** A frame of a stack that is in the store's client or in the gRPC library below it. */
const ofClient = /[\\/]node_modules[\\/]@(?:eventstore[\\/]db-client|grpc[\\/]grpc-js)[\\/]/
/** A frame of Node itself. */
const ofNode = /\(?node:/

/**
 * Whether an error that nobody heard was thrown by the store's client itself. An error of a handler that the client
 * called is ours.
 */
export function isClientFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const frames = error.stack?.split('\n').filter((line) => /^ {4}at /.test(line)) ?? []
  return ofClient.test(frames.find((frame) => !ofNode.test(frame)) ?? '')
}

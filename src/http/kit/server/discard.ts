import type { IncomingMessage } from 'node:http'

/**
 * Return a function that discards what a client still sends although its request has been answered, so that the
 * connection can be used again. Connections take turns: one turn of the event loop reads up to 2 MiB of one of them, and
 * then other requests run for the same time. Strangers may send bodies without end, and eight of them together would
 * take 20 ms of each turn.
 * @param withinMs a connection is destroyed when its rest has not come to its end by then
 */
export function createDiscard(clock: () => number, withinMs: number): (req: IncomingMessage) => void {
  const rests: { readonly req: IncomingMessage; readonly deadline: number }[] = []
  let isWorking = false

  const readPart = (): void => {
    const rest = rests.shift()
    isWorking = rest !== undefined
    if (!rest) return
    const { req, deadline } = rest
    const began = clock()
    if (began > deadline) req.socket.destroy()
    req.socket.resume()
    setImmediate(() => {
      if (!req.complete && !req.socket.destroyed) {
        req.socket.pause()
        rests.push(rest)
      }
      setTimeout(readPart, clock() - began)
    })
  }

  return (req) => {
    rests.push({ req, deadline: clock() + withinMs })
    req.resume()
    // `resume` lets the socket read once more. Stop it after that, until its turn comes.
    setImmediate(() => req.complete || req.socket.pause())
    if (isWorking) return
    isWorking = true
    setTimeout(readPart)
  }
}

import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * A port of 127.0.0.1 that is free now: the preferred one if it is, else one below the range that the system uses
 * for outgoing connections, so that no connection takes it by chance between two starts.
 */
export async function freePort(preferred = 0): Promise<number> {
  if (preferred && (await isFree(preferred))) return preferred
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = randomInt(20_000, 32_000)
    if (await isFree(port)) return port
  }
  throw new Error('no port of 127.0.0.1 between 20000 and 32000 is free')
}

/** Whether a server could listen on this port of 127.0.0.1 now. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

import type { Socket } from 'node:net'
import pg from 'pg'
import { isLoopback } from '../../lib/loopback.ts'

/** The part of the client that answers a server that asks for the password itself. It is no public member. */
interface Answering {
  _handleAuthCleartextPassword(message: unknown): void
}

const { _handleAuthCleartextPassword: tellPassword } = pg.Client.prototype as unknown as Answering

/**
 * A client that tells no password to a port of this machine: while the server is down, another user may listen there. By
 * SCRAM and MD5 a server learns nothing that opens another one.
 */
export class GuardedClient extends pg.Client implements Answering {
  _handleAuthCleartextPassword(message: unknown): void {
    if (this.ssl || !isLoopback(this.host)) {
      tellPassword.call(this, message)
      return
    }
    const { stream } = (this as unknown as { connection: { stream: Socket } }).connection
    stream.destroy(new Error('the server asks for the password in clear text: let it use scram-sha-256'))
  }
}

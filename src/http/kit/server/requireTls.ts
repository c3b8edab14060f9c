import type { NextFunction, Request, Response } from 'express'
import { Problem } from '../problem.ts'

/**
 * Where a named proxy ends TLS, what did not come by TLS is refused: from anybody but that proxy the connection
 * itself must be TLS, and from the proxy the request as its client sent it. Whoever looks after the process may ask
 * for its health all the same.
 */
export function requireTls(req: Request, _res: Response, next: NextFunction): void {
  if (!cameByTls(req) && !req.path.startsWith('/health/'))
    throw new Problem(
      403,
      'https-required',
      'The request did not come by https, so nothing was done, and others may have read what it carried. ' +
        'Send it to the https address; the proxy there must set X-Forwarded-Proto.',
    )
  next()
}

function cameByTls({ app, socket, headers }: Request): boolean {
  const isProxy: (address: string, hop: number) => boolean = app.get('trust proxy fn')
  if (!isProxy(socket.remoteAddress ?? '', 0)) return 'encrypted' in socket
  // Each proxy on the way may have added what it saw.
  const said = String(headers['x-forwarded-proto'] ?? '').split(',')
  return said.every((protocol) => protocol.trim().toLowerCase() === 'https')
}

import type { NextFunction, Request, Response } from 'express'
import { Problem } from '../problem.ts'

/**
 * Refuse requests without TLS where a trusted proxy ends TLS. From the proxy, the client's request must have used
 * https; from any other address, the connection itself must be TLS. Health is exempt.
 */
export function requireTls(req: Request, _res: Response, next: NextFunction): void {
  if (!cameByTls(req) && !req.path.startsWith('/health/'))
    throw new Problem(
      'https-required',
      'The request did not use https, so nothing was done and others may have read its content. ' +
        'Send it to the https address; the proxy there must set X-Forwarded-Proto.',
    )
  next()
}

function cameByTls({ app, socket, headers }: Request): boolean {
  const isProxy: (address: string, hop: number) => boolean = app.get('trust proxy fn')
  if (!isProxy(socket.remoteAddress ?? '', 0)) return 'encrypted' in socket
  // Each proxy on the way may have added a value.
  const protocols = String(headers['x-forwarded-proto'] ?? '').split(',')
  return protocols.every((protocol) => protocol.trim().toLowerCase() === 'https')
}

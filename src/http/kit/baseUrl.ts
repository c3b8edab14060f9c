import type { Request } from 'express'

/**
 * Return the address of the service as the caller of a request knows it: the configured one, otherwise the one that
 * the request was sent to. It is empty when the Host header is no address, so that what follows is a relative reference.
 */
export function baseUrlOf(req: Request, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return publicUrl
  const { protocol, host } = req
  return isHost(host) ? `${protocol}://${host}` : ''
}

/** Whether a text is the name or address of a host, with or without a port. */
export function isHost(text: string | undefined): text is string {
  return text !== undefined && /^[\w.:[\]-]+$/.test(text) && URL.canParse(`https://${text}`)
}

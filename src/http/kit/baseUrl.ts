import type { Request } from 'express'

/**
 * Return the address of the service as the caller of a request knows it: the configured one, otherwise the one that
 * the request was sent to. It is empty when the Host header is no address, so that what follows is a relative reference.
 */
export function baseUrlOf(req: Request, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return publicUrl
  const { protocol, host } = req
  const isAddress = /^[\w.:[\]-]+$/.test(host ?? '') && URL.canParse(`${protocol}://${host}`)
  return isAddress ? `${protocol}://${host}` : ''
}

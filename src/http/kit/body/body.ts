import type { IncomingMessage } from 'node:http'
import { Problem } from '../problem.ts'
import { createGatheredBytes } from './gatheredBytes.ts'

/** The largest body, in bytes. */
const maxBodyBytes = 1_048_576
/** Bytes that are plenty for a body of a few short fields. */
export const maxSmallBodyBytes = 16_384

/** @throws Problem 415 unless the body is one of `wanted`, in UTF-8 and not compressed */
export function requireMediaType(req: IncomingMessage, wanted: readonly string[]): void {
  const unsupported = (detail: string) =>
    new Problem('unsupported-media-type', detail, {
      headers: { [req.method === 'PATCH' ? 'Accept-Patch' : 'Accept']: wanted.join(', ') },
    })
  if (!hasBody(req)) return
  const encoding = req.headers['content-encoding'] ?? 'identity'
  if (encoding.toLowerCase() !== 'identity')
    throw unsupported(`Content-Encoding ${encoding} is not supported. Send the body uncompressed.`)
  const [, ...parameters] = partsOfType(req)
  if (!wanted.includes(mediaTypeOf(req))) throw unsupported(`The body must be ${wanted.join(' or ')}.`)
  const charset = parameters.find((parameter) => /^charset=/i.test(parameter))?.slice('charset='.length)
  if (charset && !/^"?utf-?8"?$/i.test(charset)) throw unsupported('The body must be in UTF-8.')
}

/** Return the media type of the body in lower case, without parameters; empty when the request names none. */
export function mediaTypeOf(req: IncomingMessage): string {
  return partsOfType(req)[0]!.toLowerCase()
}

function partsOfType({ headers }: IncomingMessage): string[] {
  return (headers['content-type'] ?? '').split(';').map((part) => part.trim())
}

/** Refuse a body that is read later. @throws Problem 415, 413 */
export function refuseAnnounced(
  req: IncomingMessage,
  mediaTypes: readonly string[],
  maxBytes = maxBodyBytes,
): void {
  requireMediaType(req, mediaTypes)
  if (announcedBytes(req) > maxBytes) throw tooLarge(maxBytes)
}

/**
 * Read the whole body. The server discards the rest of a refused one.
 * @param take called with the number of bytes as they arrive; an error that it throws refuses the body
 * @throws Problem 413, 400 `body-incomplete`, and the errors of `take`
 */
export function readBody(
  req: IncomingMessage,
  limit = maxBodyBytes,
  take: (bytes: number) => void = () => {},
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const announced = announcedBytes(req)
    const held = createGatheredBytes(Math.min(announced, limit))
    let size = 0
    const keep = (chunk: Buffer) => {
      size += chunk.length
      if (size > limit) return refuse(tooLarge(limit))
      try {
        take(chunk.length)
        held.add(chunk)
      } catch (error) {
        refuse(error)
      }
    }
    const refuse = (error: unknown) => {
      req.off('data', keep)
      req.pause()
      reject(error)
    }
    const breakOff = () =>
      reject(
        new Problem(
          'body-incomplete',
          'The body ended before it was complete, so nothing was done. Send the request again.',
        ),
      )
    // The client left while its credentials were checked: no data and no end will ever arrive.
    if (req.destroyed) return breakOff()
    if (announced > limit) return refuse(tooLarge(limit))
    req.on('data', keep)
    req.once('end', () => {
      // Every request is closed at last. It is incomplete if it was closed before its end.
      req.off('close', breakOff)
      resolve(held.take())
    })
    req.once('close', breakOff)
  })
}

function announcedBytes({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? 0)
}

/** Return false if the body is known to be small. */
export function mayBeLarge(req: IncomingMessage): boolean {
  return req.headers['transfer-encoding'] !== undefined || announcedBytes(req) > maxSmallBodyBytes
}

function tooLarge(limit: number): Problem {
  return new Problem(
    'body-too-large',
    `The body is larger than ${limit} bytes, so nothing was done. Send it in parts.`,
  )
}

export function hasBody(req: IncomingMessage): boolean {
  return req.headers['transfer-encoding'] !== undefined || announcedBytes(req) > 0
}

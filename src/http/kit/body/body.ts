import type { IncomingMessage } from 'node:http'
import { Problem } from '../problem.ts'
import { createGatheredBytes } from './gatheredBytes.ts'

/** Bytes that a body may have. */
export const maxBodyBytes = 1_048_576

function tooLarge(limit: number): Problem {
  return new Problem(413, 'body-too-large', `The body is larger than ${limit} bytes.`)
}

function unsupported(detail: string): Problem {
  return new Problem(415, 'unsupported-media-type', detail, { headers: { Accept: 'application/json' } })
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** @throws Problem 415 unless it is `wanted`, in UTF-8 and not compressed */
export function requireMediaType(req: IncomingMessage, wanted: string): void {
  if (!hasBody(req)) return
  const encoding = req.headers['content-encoding'] ?? 'identity'
  if (encoding.toLowerCase() !== 'identity')
    throw unsupported(`Content-Encoding ${encoding} is not read here.`)
  const [type = '', ...parameters] = (req.headers['content-type'] ?? '').split(';').map((part) => part.trim())
  if (type.toLowerCase() !== wanted) throw unsupported(`The body must be ${wanted}.`)
  const charset = parameters.find((parameter) => /^charset=/i.test(parameter))?.slice('charset='.length)
  if (charset && !/^"?utf-?8"?$/i.test(charset)) throw unsupported('The body must be in UTF-8.')
}

/**
 * The whole body. When it is refused, the rest of it is let pass unread, so the connection lives on.
 * @param take told of the bytes as they come; what it throws refuses the body
 * @throws Problem 413, 400 `body-incomplete`, and what `take` throws
 */
export function readBody(
  req: IncomingMessage,
  limit = maxBodyBytes,
  take: (bytes: number) => void = () => {},
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const held = createGatheredBytes()
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
      req.resume()
      reject(error)
    }
    const breakOff = () => reject(new Problem(400, 'body-incomplete', 'The body broke off.'))
    // Whoever went while their credentials were looked up: nothing of it will ever come, no end either.
    if (req.destroyed) return breakOff()
    if (Number(req.headers['content-length'] ?? 0) > limit) return refuse(tooLarge(limit))
    req.on('data', keep)
    req.once('end', () => resolve(held.take()))
    req.once('close', breakOff)
  })
}

import type { Response } from 'express'
import { type Coding, codingFor, compress, etagIn, isCompressible } from './contentCoding.ts'
import { declareLanguage, tells, toldFor } from './contentLanguage.ts'

/** The answer of a record or list. Problems are sent by `sendProblem`. */
export interface Answer {
  readonly status: number
  /** An ETag names the state; the coding is added to it here. */
  readonly headers?: Readonly<Record<string, string | number | undefined>>
  /** The value to serialise, or its serialised bytes. Undefined: no body. */
  readonly body?: unknown
  /** The coding that the bytes are in. Undefined: they are as they are, and are compressed here if that is worth it. */
  readonly coding?: Coding | undefined
  /** The body holds a secret. Its length after compression would tell about the secret, so it stays as it is. */
  readonly isSecret?: boolean
}

export async function send(res: Response, answer: Answer): Promise<void> {
  const { status, headers = {}, body } = answer
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) res.setHeader(name, value)
  res.statusCode = status
  if (status === 304) res.vary('Accept-Encoding')
  if (body === undefined) {
    res.end()
    return
  }
  if (!res.hasHeader('Content-Type')) res.setHeader('Content-Type', 'application/json')
  const json = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))
  const isTold = answer.coding !== undefined || res.hasHeader('Content-Language') || !tells(json)
  if (!isTold) declareLanguage(res)
  const bytes = await inCoding(res, answer, isTold ? json : toldFor(res.req, json))
  res.setHeader('Content-Length', bytes.length)
  res.end(bytes)
}

/** Return the bytes to send, and declare their coding. */
async function inCoding(
  res: Response,
  { coding, isSecret, headers }: Answer,
  bytes: Buffer,
): Promise<Buffer> {
  if (isSecret || !isCompressible(String(res.getHeader('Content-Type')))) return bytes
  res.vary('Accept-Encoding')
  const chosen = coding ?? codingFor(res.req, bytes.length)
  if (!chosen) return bytes
  const coded = coding ? bytes : await compress(bytes, chosen)
  res.setHeader('Content-Encoding', chosen)
  if (headers?.ETag !== undefined) res.setHeader('ETag', etagIn(String(headers.ETag), chosen))
  return coded
}

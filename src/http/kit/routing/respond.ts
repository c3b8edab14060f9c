import type { Response } from 'express'

/** The answer of a record or list. Problems are sent by `sendProblem`. */
export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string | number | undefined>>
  /** The value to serialise, or its serialised bytes. Undefined: no body. */
  readonly body?: unknown
}

export function etagOf(revision: number | string): string {
  return `"${revision}"`
}

export function send(res: Response, { status, headers = {}, body }: Answer): void {
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) res.setHeader(name, value)
  res.statusCode = status
  if (body === undefined) {
    res.end()
    return
  }
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))
  if (!res.hasHeader('Content-Type')) res.setHeader('Content-Type', 'application/json')
  res.setHeader('Content-Length', bytes.length)
  res.end(bytes)
}

import { Failure } from '../lib/failure.ts'
import { reach } from './runningService.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
export type Answer<Body> = { readonly status: number; readonly body: Body }

/**
 * Send a request as one caller and return the response. A Blob is sent as the file that it is, any other body as JSON.
 * @throws Failure, with the code of the problem, when the status is not 2xx
 */
export type Client = <Body>(method: Method, path: string, body?: unknown) => Promise<Answer<Body>>

/** Create a client that reads its own writes on any node: each GET waits for the events that its commands recorded. */
export function createClient(baseUrl: string, token: string): Client {
  let lastCommit = -1n

  return async <Body>(method: Method, path: string, body?: unknown): Promise<Answer<Body>> => {
    const headers: Record<string, string> = { Authorization: `Bearer ${token}` }
    if (body !== undefined) headers['Content-Type'] = body instanceof Blob ? body.type : 'application/json'
    if (method === 'GET' && lastCommit >= 0n) headers['Min-Position'] = String(lastCommit)

    const response = await reach(baseUrl + path, {
      method,
      headers,
      ...(body !== undefined && { body: body instanceof Blob ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) {
      const { code } = parseProblem(text) ?? {}
      throw new Failure<string>(
        code ?? 'request-refused',
        describeProblem(`${method} ${path}`, response.status, text),
      )
    }

    const commit = BigInt(response.headers.get('Commit-Position') ?? -1)
    if (commit > lastCommit) lastCommit = commit
    return { status: response.status, body: (text ? JSON.parse(text) : undefined) as Body }
  }
}

type Problem = {
  title?: string
  detail?: string
  code?: string
  traceId?: string
  errors?: { path: string; message: string }[]
}

/** Describe a problem document in one line, followed by one line for each fault that it lists. */
export function describeProblem(request: string, status: number, text: string): string {
  const problem = parseProblem(text)
  if (!problem) return `${request}: ${status}: ${text.slice(0, 200) || 'the response is empty'}`
  const { title, detail, code, traceId, errors = [] } = problem
  const marks = [code, traceId && `trace ${traceId}`].filter(Boolean).join(', ')
  const line = `${request}: ${status} ${detail ?? title ?? ''}${marks && ` (${marks})`}`
  return [line, ...errors.map((fault) => `  ${fault.path}: ${fault.message}`)].join('\n')
}

function parseProblem(text: string): Problem | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null ? parsed : undefined
  } catch {
    return undefined
  }
}

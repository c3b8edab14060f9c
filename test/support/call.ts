/** Sends an HTTP request and returns the answer for specs. */

export interface Sent {
  /** An access token. */
  readonly token?: string
  /** Sent as JSON; a string is sent unchanged. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a spec knows the shape of its answer.
  readonly body: any
}

/** The media type of a body that is sent with this method. */
export function bodyTypeOf(method: string): string {
  return method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
}

/** @throws TypeError when nothing answers, as `fetch` does */
export async function call(
  method: string,
  url: string,
  { token, body, headers = {} }: Sent = {},
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': bodyTypeOf(method) }),
      ...headers,
    },
  })
  const text = await response.text()
  const isJson = /[/+]json/.test(response.headers.get('content-type') ?? '')
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : isJson ? JSON.parse(text) : text,
  }
}

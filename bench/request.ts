/** Send a JSON body and return the answer's; an empty object when it has none. @throws Error unless it succeeds */
export async function send<Answer = Record<string, string>>(
  url: string,
  token: string,
  method: string,
  body: object,
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`)
  const text = await response.text()
  return (text ? JSON.parse(text) : {}) as Answer
}

/**
 * Every spec that calls the service by `fetch` fails when it gets a problem that the catalogue or the operation does
 * not declare. The checks are loaded with the first problem, because most specs meet none.
 */

const send = globalThis.fetch

globalThis.fetch = async (input, init) => {
  const response = await send(input, init)
  if (response.headers.get('content-type') !== 'application/problem+json') return response
  const method = (init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase()
  const url = input instanceof Request ? input.url : String(input)
  const { faultsOfProblem } = await import('./problemFaults.ts')
  const faults = await faultsOfProblem(method, new URL(url).pathname, response.clone())
  if (faults.length > 0)
    throw new Error(`${method} ${url}: the answer ${response.status} is not documented: ${faults.join('; ')}`)
  return response
}

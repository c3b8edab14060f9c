/**
 * Every spec that calls the service by `fetch` fails when it gets a problem that the catalogue or the operation does
 * not declare. The checks are loaded with the first problem, because most specs meet none.
 */

const send = globalThis.fetch
let checks: Promise<typeof import('./problemFaults.ts')> | undefined

/** Vitest runs this for each file; files that share a worker share its `fetch`, which is wrapped once. */
if (!('checksProblems' in send)) globalThis.fetch = Object.assign(checkedFetch, { checksProblems: true })

async function checkedFetch(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const response = await send(input, init)
  if (response.headers.get('content-type') !== 'application/problem+json') return response
  const method = (init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase()
  const url = input instanceof Request ? input.url : String(input)
  checks ??= import('./problemFaults.ts')
  const { faultsOfProblem } = await checks
  const faults = await faultsOfProblem(method, new URL(url).pathname, response.clone())
  if (faults.length > 0)
    throw new Error(`${method} ${url}: the answer ${response.status} is not documented: ${faults.join('; ')}`)
  return response
}

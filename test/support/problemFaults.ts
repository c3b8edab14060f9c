import { codesOf, codesOutsideRoutes } from '../../src/http/kit/routing/problemCodes.ts'
import { declarationOf, isProblemCode, type ProblemCode } from '../../src/problems/catalogue.ts'
import { operationOf } from './operations.ts'

const standardMembers = ['type', 'title', 'status', 'detail', 'instance', 'code', 'traceId']

const requiredHeaders: Readonly<Record<number, readonly string[]>> = {
  401: ['www-authenticate'],
  405: ['allow'],
  429: ['retry-after', 'ratelimit', 'ratelimit-policy'],
  503: ['retry-after'],
}

/** List the differences of a problem from its declaration in the catalogue, and from that of the operation. */
export async function faultsOfProblem(method: string, path: string, response: Response): Promise<string[]> {
  const missing = (requiredHeaders[response.status] ?? [])
    .filter((name) => !response.headers.has(name))
    .map((name) => `the header ${name} is missing`)
  if (method === 'HEAD') return missing
  const problem = (await response.json()) as Record<string, unknown>
  const { code } = problem
  if (typeof code !== 'string' || !isProblemCode(code)) return [`there is no code ${code}`]
  const { status, title } = declarationOf(code)
  return [
    ...missing,
    ...(response.status === status && problem.status === status ? [] : [`${code} has the status ${status}`]),
    ...(problem.title === title ? [] : [`${code} has another title`]),
    ...(String(problem.type).endsWith(`/problems/${code}`) ? [] : [`the type is ${problem.type}`]),
    ...faultsOfMembers(code, problem),
    ...faultsOfOperation(method, path, code),
  ]
}

function faultsOfMembers(code: ProblemCode, problem: Record<string, unknown>): string[] {
  const members = Object.fromEntries(
    Object.entries(problem).filter(([name]) => !standardMembers.includes(name)),
  )
  const declared = membersOf(code)
  if (!declared) return Object.keys(members).map((name) => `${code} has no member ${name}`)
  const { error } = declared.safeParse(members)
  return error?.issues.map(({ path, message }) => `${path.join('/')}: ${message}`) ?? []
}

const strict = new Map<ProblemCode, ReturnType<typeof strictMembersOf>>()

/** Zod compiles each schema that it makes, so each is made once. */
function membersOf(code: ProblemCode) {
  if (!strict.has(code)) strict.set(code, strictMembersOf(code))
  return strict.get(code)
}

function strictMembersOf(code: ProblemCode) {
  return declarationOf(code).members?.strict()
}

function faultsOfOperation(method: string, path: string, code: ProblemCode): string[] {
  const operation = operationOf(method, path)
  if (!operation || codesOutsideRoutes.some((one) => one === code)) return []
  return codesOf(operation).includes(code) ? [] : [`${operation.operationId} does not list ${code}`]
}

import { parseArgs } from 'node:util'
import { createClient } from '../../packages/client/src/index.ts'
import type { Caller, Client, Method } from './demo/caller.ts'
import { readExamples } from './demo/examples.ts'
import { loadFindings } from './demo/findings.ts'
import { readHeats } from './demo/heats.ts'
import { attachOriginals } from './demo/originals.ts'
import { loadPlans } from './demo/plans.ts'
import { subscribeToRulePacks } from './demo/rulePacks.ts'
import { loadSubjects } from './demo/subjects.ts'
import { loadTags } from './demo/tags.ts'
import { fetchToken, findService, reach, type Service } from './runningService.ts'

const help = `npm run demo [-- --url URL] [--company ID]

Loads the data under examples/ into a running service over HTTP. A repeat changes nothing.

Uses the service at --url or HEATMARK_URL, otherwise the service that "npm start" runs here (dev.json in
HEATMARK_DATA_DIR, default .heatmark). A service elsewhere also needs:
  HEATMARK_TOKEN       an access token of an Admin of the company
  HEATMARK_COMPANY_ID  the company (or --company)
`

type Options = { readonly url: string | undefined; readonly company: string | undefined }

async function demo({ url, company }: Options): Promise<void> {
  const service = findService(url, process.env)
  const companyId = company ?? process.env.HEATMARK_COMPANY_ID ?? service.dev?.companyId
  if (!companyId) throw new Error(`no company is set for ${service.baseUrl}: name one with --company`)

  const caller: Caller = {
    company: `/api/company/${companyId}`,
    companyId,
    planner: await clientFor(service, 'planner'),
    editor: await clientFor(service, 'editor'),
    admin: await clientFor(service, 'admin'),
    output: process.stdout,
  }
  const examples = readExamples()
  const { findings } = examples
  const certificates = [...examples.certificates, ...findings.certificates]
  const subjects = await loadSubjects(caller, {
    certificates,
    orders: [...examples.orders, ...findings.orders],
  })
  await loadTags(caller, examples, subjects)
  const offered = await fetchOfferedPaths(service)
  if (offered.has('/api/company/{companyId}/documents'))
    await attachOriginals(caller, certificates, findings.withoutOriginal, subjects)
  if (offered.has('/api/company/{companyId}/production-plans'))
    await loadPlans(caller, examples.plans, subjects)
  if (offered.has('/api/company/{companyId}/release-policy')) await loadFindings(caller, findings, subjects)
  if (offered.has('/api/company/{companyId}/recalls')) await readHeats(caller, examples.plans)
  if (offered.has('/api/company/{companyId}/rule-packs')) await subscribeToRulePacks(caller)
  process.stdout.write(`The examples are loaded. Try the API at ${service.baseUrl}/docs\n`)
}

/** Use `HEATMARK_TOKEN` if it is set, otherwise a token of the embedded stack's client for that role. */
async function clientFor(service: Service, role: 'planner' | 'editor' | 'admin'): Promise<Client> {
  const token = process.env.HEATMARK_TOKEN
  if (token) return clientWith(service, token)
  if (service.dev) return clientWith(service, await fetchToken(service.dev, role))
  throw new Error(`${service.baseUrl} needs an access token: set HEATMARK_TOKEN`)
}

function clientWith({ baseUrl }: Service, token: string): Client {
  const { send } = createClient({ baseUrl, token, fetch: reach })
  return async <Body>(method: Method, path: string, body?: unknown) => {
    const answer = await send(method, path, { body })
    return { status: answer.status, body: (answer.status === 204 ? undefined : await answer.json()) as Body }
  }
}

/** Read the paths from the service's OpenAPI document, because an older service may not have all of them. */
async function fetchOfferedPaths({ baseUrl }: Service): Promise<ReadonlySet<string>> {
  const response = await reach(`${baseUrl}/openapi.json`)
  if (!response.ok) throw new Error(`GET ${baseUrl}/openapi.json: ${response.status}`)
  const { paths = {} } = (await response.json()) as { paths?: Record<string, object> }
  return new Set(Object.keys(paths))
}

try {
  const { values } = parseArgs({
    options: {
      url: { type: 'string' },
      company: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) process.stdout.write(help)
  else await demo({ url: values.url, company: values.company })
} catch (error) {
  process.stderr.write(`demo: ${(error as Error).message}\n`)
  process.exitCode = 1
}

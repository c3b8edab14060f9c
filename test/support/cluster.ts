import { randomUUID } from 'node:crypto'
import { registerCompany, setMemberRoles } from '../../src/commands/company/companies.ts'
import { createExecutor } from '../../src/commands/executor/execute.ts'
import { roles } from '../../src/domain/company/companyEvents.ts'
import { clock, now } from '../../src/lib/clocks.ts'
import { connectEventStore } from '../../src/stores/eventStoreDb/connect.ts'
import { type Answer, call, type Sent } from './call.ts'
import { audience, type IdentityProvider, startIdentityProvider } from './identity.ts'
import { noNames } from './noNames.ts'
import { type ServiceNode, startServiceNode } from './serviceProcess.ts'
import { until } from './until.ts'

/** Several nodes of the service, each in its own process, on one pair of stores and one identity provider. */

export type Member = 'viewer' | 'editor' | 'planner' | 'auditor' | 'admin'
export type Client = Member | 'operator'

export interface ClusterNode extends ServiceNode {
  /** Send a request to this path below `/api/company/{companyId}`, or to the path itself when it begins with /. */
  send(client: Client, method: string, path: string, sent?: Omit<Sent, 'token'>): Promise<Answer>
}

export interface Cluster {
  readonly companyId: string
  readonly identity: IdentityProvider
  /** Return a new token of that client. */
  freshToken(client: Client): Promise<string>
  /** Start one more node, with `more` settings, and wait until it answers. */
  start(more?: Readonly<Record<string, string>>): Promise<ClusterNode>
  /** End every node that still runs. */
  stop(): Promise<void>
}

/** @param stores connection strings of the stores */
export async function startCluster(stores: {
  readonly eventStoreUrl: string
  readonly databaseUrl: string
}): Promise<Cluster> {
  const [identity, companyId] = await Promise.all([
    startIdentityProvider(),
    foundCompany(stores.eventStoreUrl),
  ])
  const settings = {
    EVENTSTORE_URL: stores.eventStoreUrl,
    DATABASE_URL: stores.databaseUrl,
    OIDC_ISSUER: identity.issuer,
    OIDC_AUDIENCE: audience,
  }
  const nodes: ServiceNode[] = []
  const freshToken = (client: Client) =>
    identity.token({
      oid: client,
      name: `${client[0]!.toUpperCase()}${client.slice(1)}`,
      jti: randomUUID(),
      ...(client === 'operator' && { roles: ['Operator'] }),
    })
  const tokens = new Map<Client, Promise<string>>()
  const tokenOf = (client: Client) => {
    const token = tokens.get(client) ?? freshToken(client)
    tokens.set(client, token)
    return token
  }

  return {
    companyId,
    identity,
    freshToken,
    async start(more = {}) {
      const node = await startServiceNode({ ...settings, ...more })
      nodes.push(node)
      const send: ClusterNode['send'] = async (client, method, path, sent) =>
        call(method, `${node.url}${path.startsWith('/') ? path : `/api/company/${companyId}/${path}`}`, {
          token: await tokenOf(client),
          ...sent,
        })
      return { ...node, send }
    },
    async stop() {
      await Promise.all(nodes.map((node) => node.end()))
      await identity.stop()
    },
  }
}

/** Waits until the read models know the company's members. */
export function untilServing(node: ClusterNode): Promise<void> {
  return until(async () => (await node.send('viewer', 'GET', 'millcert-tags')).status === 200)
}

/** Append the events of a company with one member for each role, named after the role. */
async function foundCompany(eventStoreUrl: string): Promise<string> {
  const store = connectEventStore(eventStoreUrl)
  const { execute } = createExecutor({
    store,
    now,
    clock,
    persons: noNames,
    newId: randomUUID,
    cacheBytes: 1_048_576,
  })
  const companyId = randomUUID()
  const context = { actor: { id: 'spec', name: 'Spec', kind: 'service' }, correlationId: 'spec' } as const
  await execute(registerCompany(companyId, 'Example Steel Works'), context)
  for (const role of roles)
    await execute(setMemberRoles({ companyId, userId: role.toLowerCase(), wanted: [role] }), context)
  await store.close()
  return companyId
}

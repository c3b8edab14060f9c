import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { readJson, writePrivateJson } from './files.ts'
import type { IdentityClient, People } from './oidcProvider.ts'

/** The accounts of the embedded identity provider, each a client and a person, with their names and roles. */
const kinds = {
  admin: { name: 'Ada Admin', member: 'Admin', platform: [] },
  editor: { name: 'Edith Editor', member: 'Editor', platform: [] },
  planner: { name: 'Pablo Planner', member: 'Planner', platform: [] },
  viewer: { name: 'Vera Viewer', member: 'Viewer', platform: [] },
  cutter: { name: 'Carla Cutter', member: 'Cutter', platform: [] },
  quality: { name: 'Quentin Quality', member: 'Quality', platform: [] },
  auditor: { name: 'Aurel Auditor', member: 'Auditor', platform: [] },
  operator: { name: 'Otto Operator', member: undefined, platform: ['Operator'] },
  platformAdmin: { name: 'Petra Platform', member: undefined, platform: ['PlatformAdmin'] },
  /** Admin of the other company only. */
  outsider: { name: 'Olga Outsider', member: undefined, platform: [] },
} as const

export type ClientName = keyof typeof kinds
export const clientNames = Object.keys(kinds) as ClientName[]

/** The ids and secrets of one data directory. */
export interface Identities {
  tenant: string
  companyId: string
  otherCompanyId: string
  clients: Record<ClientName, { clientId: string; clientSecret: string; oid: string }>
  /** The client by which people log in to the portal. */
  portal: { clientId: string; clientSecret: string }
  /** The password of every person. */
  password: string
}

/** A company, with its members, that the embedded stack registers at its first start. */
export interface DevCompany {
  companyId: string
  name: string
  members: { userId: string; name: string; roles: string[] }[]
}

/**
 * Read the ids and secrets from the data directory's `identities.json` (mode 0600); the first start makes them, and a
 * later one adds what is new in its release.
 * @throws Error of one line when the file is damaged or cannot be written
 */
export function rememberedIdentities(dataDir: string): Identities {
  const file = join(dataDir, 'identities.json')
  const stored = readJson(file) as Partial<Identities> | undefined
  const clients = clientNames.map((name) => [
    name,
    stored?.clients?.[name] ?? { ...newCredentials(), oid: randomUUID() },
  ])
  const ids = { tenant: randomUUID(), companyId: randomUUID(), otherCompanyId: randomUUID() }
  const secrets = { portal: newCredentials(), password: randomBytes(12).toString('base64url') }
  const identities: Identities = { ...ids, ...secrets, ...stored, clients: Object.fromEntries(clients) }
  if (!isDeepStrictEqual(identities, stored)) writePrivateJson(file, identities)
  return identities
}

/** The clients as the identity provider knows them. */
export function identityClients({ clients }: Identities): IdentityClient[] {
  return clientNames.map((name) => ({
    ...clients[name],
    name: kinds[name].name,
    roles: [...kinds[name].platform],
  }))
}

/** The people who can log in. A person and the client of the same name are one account. */
export function peopleOf({ clients, password }: Identities): People {
  return {
    password,
    accounts: clientNames.map((name) => ({
      userName: name,
      oid: clients[name].oid,
      name: kinds[name].name,
      roles: [...kinds[name].platform],
    })),
  }
}

/** The companies and members to register by commands once the service has started. */
export function devCompanies(identities: Identities): DevCompany[] {
  const { companyId, otherCompanyId, clients } = identities
  const memberOf = (name: ClientName, role: string) => ({
    userId: clients[name].oid,
    name: kinds[name].name,
    roles: [role],
  })
  const members = clientNames.flatMap((name) => {
    const role = kinds[name].member
    return role ? [memberOf(name, role)] : []
  })
  return [
    { companyId, name: 'Example Steel Works', members },
    { companyId: otherCompanyId, name: 'Another Steel Works', members: [memberOf('outsider', 'Admin')] },
  ]
}

function newCredentials() {
  return { clientId: randomUUID(), clientSecret: randomBytes(24).toString('base64url') }
}

import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { accountStream } from '../../src/domain/company/account.ts'
import { newApiKey } from '../../src/identity/apiKeyFormat.ts'
import { type EventStore, noStream } from '../../src/stores/eventStore.ts'
import { tagContent } from '../domain/verdict/facts.ts'
import { type Answer, call, type Sent } from '../support/call.ts'
import type { TestService } from '../support/testService.ts'

/** A caller with a token or an API key. A path is of the company, unless it begins with / or is a whole URL. */
export interface Caller {
  send(method: string, path: string, sent?: Sent): Promise<Answer>
}

export interface Person extends Caller {
  readonly userId: string
  /** The same person under another name. */
  renamed(name: string): Promise<Person>
}

/** A new company with its Admin. */
export interface Company {
  readonly companyId: string
  readonly admin: Person
  /** Admit somebody, by default somebody new. */
  admit(name: string, roles: readonly string[], userId?: string): Promise<Person>
  /** Create a key of somebody's account. */
  createKey(of: Person): Promise<Caller>
  /** Record a key, but not the name of its owner. */
  recordKey(store: EventStore, of: Person): Promise<Caller>
  createTag(by: Caller, name?: string): Promise<string>
  erase(userId: string, more?: string): Promise<Answer>
  namesInHistory(tagId: string, at?: string): Promise<string[]>
  membersByName(at?: string): Promise<Record<string, string | null>>
}

/** @param named the Admin's name */
export async function newCompany(
  service: TestService,
  named = 'Ada Ahlers',
  adminId?: string,
): Promise<Company> {
  let companyId = ''
  const url = (path: string, at = service.url) =>
    path.startsWith('http')
      ? path
      : `${at}${path.startsWith('/') ? path : `/api/company/${companyId}/${path}`}`

  const person = async (
    name: string,
    roles: readonly string[] = [],
    userId: string = randomUUID(),
  ): Promise<Person> => {
    const token = await service.identity.token({ oid: userId, name, roles })
    return {
      userId,
      send: (method, path, sent) => call(method, url(path), { token, ...sent }),
      renamed: (other) => person(other, roles, userId),
    }
  }
  const withKey = (key: string): Caller => ({
    send: (method, path, sent) => call(method, url(path), { ...sent, headers: { 'service-api-key': key } }),
  })
  const tokenOfAdmin = () => service.identity.token({ oid: admin.userId, name: named })
  const admin = await person(named, ['PlatformAdmin'], adminId)
  const registered = await admin.send('POST', '/api/companies', { body: { name: 'Yard' } })
  companyId = registered.body.companyId

  return {
    companyId,
    admin,
    async admit(name, roles, userId) {
      const one = await person(name, [], userId)
      const put = await admin.send('PUT', `members/${one.userId}`, { body: { roles } })
      expect(put.status).toBe(200)
      return one
    },
    async createKey(of) {
      const { body } = await of.send('POST', '/api/me/keys', { body: { label: 'Saw' } })
      return withKey(body.key)
    },
    async recordKey(store, { userId }) {
      const { key, fingerprint } = newApiKey()
      const data = {
        userId,
        userKind: 'user',
        keyId: randomUUID(),
        label: 'Old',
        ...fingerprint,
        expiresAt: null,
        snapshot: [{ companyId, roles: ['Editor'] }],
      }
      const metadata = {
        actor: { id: userId, name: '', kind: 'user' as const },
        correlationId: 'c',
        schemaVersion: 1,
        occurredAt: new Date().toISOString(),
      }
      const event = { id: randomUUID(), type: 'ApiKeyCreated', data, metadata }
      await store.append(accountStream(userId), noStream, [event])
      return withKey(key)
    },
    async createTag(by, name = 'Hold') {
      const made = await by.send('POST', 'millcert-tags', { body: tagContent({ name }) })
      expect(made.status).toBe(201)
      return made.body.tagId
    },
    erase: (userId, more = '') => admin.send('DELETE', `members/${userId}?erase=true${more}`),
    async namesInHistory(tagId, at) {
      const { body } = await call('GET', url(`millcert-tags/${tagId}/history`, at), {
        token: await tokenOfAdmin(),
      })
      return body.map(({ changedByName }: { changedByName: string }) => changedByName)
    },
    async membersByName(at) {
      const { body } = await call('GET', url('members', at), { token: await tokenOfAdmin() })
      return Object.fromEntries(body.map((one: { userId: string; name: string }) => [one.userId, one.name]))
    },
  }
}

import { describe, expect, it } from 'vitest'
import {
  type AccountEvent,
  type ApiKeyCreated,
  account,
  createApiKey,
  deleteApiKey,
  deleteKeysNaming,
  type Membership,
  rollApiKeys,
} from '../../src/domain/account.ts'
import { alice, companyId, contextOf, given, id, now } from '../support/given.ts'

const owner = { userId: alice.id, userName: alice.name, userKind: alice.kind }
const elsewhere = '0c7e4c7a-27d3-4a47-8d3b-1f4f4d2f9a11'
const here: Membership = { companyId, roles: ['Editor', 'Planner'] }
const there: Membership = { companyId: elsewhere, roles: ['Admin'] }
const printOf = (n: number) => ({ prefix: `hmk_${n}`, hash: `hash of ${n}` })

/** Key n of Alice's. */
const created = (n: number, more: Partial<ApiKeyCreated['data']> = {}): ApiKeyCreated => ({
  type: 'ApiKeyCreated',
  data: {
    ...owner,
    keyId: id(n),
    label: `key ${n}`,
    ...printOf(n),
    expiresAt: null,
    snapshot: [here],
    ...more,
  },
})
const rolled = (n: number, ...gone: number[]): AccountEvent => ({
  ...created(n),
  type: 'ApiKeysRolled',
  data: { ...created(n).data, deleted: gone.map((key) => ({ keyId: id(key), hash: printOf(key).hash })) },
})
const deleted = (n: number): AccountEvent => ({
  type: 'ApiKeyDeleted',
  data: { userId: alice.id, keyId: id(n), hash: printOf(n).hash },
})
const keyIds = (...events: AccountEvent[]) =>
  given(account, ...events)
    .state.keys.map(({ keyId }) => keyId)
    .toArray()

describe('creating a key', () => {
  it('records its hash, its snapshot, and never the key', () =>
    given(account)
      .when((_, context) =>
        createApiKey({ label: 'press', expiresInDays: null, snapshot: [here, there] }, printOf(7), context),
      )
      .records(created(1, { label: 'press', ...printOf(7), snapshot: [here, there] })))

  it('counts days from now', () =>
    given(account)
      .when((_, context) =>
        createApiKey({ label: 'press', expiresInDays: 2, snapshot: [] }, printOf(7), context),
      )
      .records(
        created(1, { label: 'press', ...printOf(7), snapshot: [], expiresAt: '2026-03-03T12:00:00.000Z' }),
      ))
})

describe('rolling', () => {
  const roll = (state: typeof account.initial) =>
    rollApiKeys(state, printOf(9), { ...contextOf(), newId: () => id(9) })

  it('carries label, expiry and snapshot of the newest key over, and deletes all', () => {
    const expiresAt = '2027-01-01T00:00:00.000Z'
    const newest = { label: 'newest', snapshot: [there], expiresAt }
    given(account, created(1), created(2, newest))
      .when(roll)
      .records({
        type: 'ApiKeysRolled',
        data: {
          ...created(9, newest).data,
          deleted: [
            { keyId: id(1), hash: printOf(1).hash },
            { keyId: id(2), hash: printOf(2).hash },
          ],
        },
      })
  })

  it('goes by the newest key that has not expired, and deletes the expired too', () => {
    const [event] = roll(given(account, created(1), created(2, { expiresAt: now })).state)
    expect(event!.data).toMatchObject({ label: 'key 1', deleted: [{ keyId: id(1) }, { keyId: id(2) }] })
  })

  it('needs a key that has not expired', () => {
    given(account).when(roll).refuses('no-api-key')
    given(account, created(1, { expiresAt: now }))
      .when(roll)
      .refuses('no-api-key')
    given(account, created(1), deleted(1)).when(roll).refuses('no-api-key')
  })

  it('leaves one key, and remembers the others as deleted', () => {
    expect(keyIds(created(1), created(2), rolled(3, 1, 2))).toEqual([id(3)])
    const { state } = given(account, created(1), created(2), rolled(3, 1, 2))
    expect(state.deletedKeyIds.toArray().sort()).toEqual([id(1), id(2)])
  })
})

describe('deleting', () => {
  const remove = (n: number) => (state: typeof account.initial) => deleteApiKey(state, alice.id, id(n))

  it('one key leaves the others', () => {
    given(account, created(1), created(2)).when(remove(1)).records(deleted(1))
    expect(keyIds(created(1), created(2), deleted(1))).toEqual([id(2)])
  })

  it('again records nothing', () => given(account, created(1), deleted(1)).when(remove(1)).recordsNothing())

  it('those that name a company leaves the others', () =>
    given(account, created(1), created(2, { snapshot: [there] }), created(3, { snapshot: [there, here] }))
      .when((state) => deleteKeysNaming(state, alice.id, elsewhere))
      .records(deleted(2), deleted(3)))

  it('very many goes in portions that fit into one append', () => {
    const keys = Array.from({ length: 450 }, (_, n) => created(n + 1))
    const { state } = given(account, ...keys)
    const portion = deleteKeysNaming(state, alice.id, companyId)
    expect(portion).toHaveLength(200)
    expect(portion[0]).toEqual(deleted(1))
  })
})

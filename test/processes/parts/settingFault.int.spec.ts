import { afterAll, expect, it } from 'vitest'
import { readConfig } from '../../../src/config/config.ts'
import { settingFault } from '../../../src/processes/parts/settingFault.ts'
import { startService } from '../../../src/service.ts'
import { StoreUnavailable } from '../../../src/stores/eventStore.ts'
import { createDatabase } from '../../support/postgres.ts'
import { startStore } from '../../support/store.ts'
import { suiteLog } from '../../support/suiteLog.ts'

/** A store that refuses an address for good ends the start, with what to do. The service does not wait for it. */

const [store, database] = await Promise.all([startStore(), createDatabase()])
afterAll(() => Promise.all([store.stop(), database.drop()]))

function changed(change: (url: URL) => void): string {
  const url = new URL(database.url)
  change(url)
  return url.href
}

it.each([
  [
    'a database that is not there',
    changed((url) => {
      url.pathname = '/nothing'
    }),
    /^DATABASE_URL: .*"nothing" does not exist\. Create the database/,
  ],
  [
    'a wrong password',
    changed((url) => {
      url.password = 'wrong'
    }),
    /^DATABASE_URL: .*password authentication failed.*\. Name a user of the database, and the right password\.$/,
  ],
  [
    'TLS that the server does not offer',
    changed((url) => url.searchParams.set('sslmode', 'require')),
    /^DATABASE_URL: .*\. Take sslmode out of the address/,
  ],
])('names %s', async (_, DATABASE_URL, said) => {
  const config = readConfig({
    PORT: '0',
    EVENTSTORE_URL: store.url,
    DATABASE_URL,
    OIDC_ISSUER: 'http://127.0.0.1:1',
  })
  const starting = startService(config, suiteLog().log, new AbortController().signal, { rulePacks: [] })
  await expect(starting).rejects.toThrow(said)
})

it('names a user whom the event store does not know, and waits for a store that is away', () => {
  const refused = new StoreUnavailable(new Error('Not authenticated'), 'store-refuses-user')
  expect(settingFault(refused)).toMatch(/^EVENTSTORE_URL: event store: Not authenticated\. Name a user/)
  expect(settingFault(new StoreUnavailable(new Error('No connection established')))).toBeUndefined()
})

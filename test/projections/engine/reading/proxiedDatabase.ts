import { connectPostgres } from '../../../../src/stores/postgres/postgres.ts'
import { createDatabase } from '../../../support/postgres.ts'
import { startProxy } from '../../../support/proxy.ts'

/** A database as a spec writes to it, and as what it looks at reaches it: past a proxy that may fail. */
export const createProxiedDatabase = async (size: number) => {
  const database = await createDatabase()
  const postgres = connectPostgres({ url: database.url, name: 'test', size })
  const proxy = await startProxy(database.url)
  const proxied = connectPostgres({ url: proxy.url, name: 'test proxied', size })
  return {
    postgres,
    proxy,
    proxied,
    async close() {
      await proxied.close()
      await proxy.close()
      await postgres.close()
      await database.drop()
    },
  }
}

import { inject } from 'vitest'

/** An event store that a spec uses through its protocol alone. */
export interface TestStore {
  /** The connection string. */
  url: string
  /** Stop the store, and remove its file if that is a temporary one. */
  stop(): Promise<void>
}

/**
 * Start an empty event store in the process that holds the stores of this run: a start of Node for each takes half of
 * the time that a store needs. Specs that end their store, or open its file, give it a process by `startNode`.
 */
export async function startStore(): Promise<TestStore> {
  const holder = inject('storesUrl')
  const { url } = await ask('POST', holder)
  return {
    url,
    async stop() {
      await ask('DELETE', `${holder}/${new URL(url).port}`)
    },
  }
}

/**
 * Return the store that EVENTSTORE_URL names, or start one if it names none. Others may use a given store too: do not
 * depend on its other streams.
 * @param given the url of the store; '' for a new one
 */
export async function givenOrNewStore(given = process.env.EVENTSTORE_URL): Promise<TestStore> {
  return given ? { url: given, stop: async () => {} } : startStore()
}

async function ask(method: string, url: string) {
  const response = await fetch(url, { method })
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as { url: string }
}

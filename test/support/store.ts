import { inject } from 'vitest'
import { ceilingMs } from './until.ts'

/** An event store that a spec uses through its protocol alone. */
export interface TestStore {
  /** The connection string. Its store may take as long for an answer as specs wait. */
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
    url: patient(url),
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
  return given ? { url: patient(given), stop: async () => {} } : startStore()
}

/** Return the url of a store whose clients wait for its answers as long as specs wait for anything. */
export function patient(url: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}defaultDeadline=${ceilingMs}`
}

/** Return the url of a store whose clients soon give up. */
export function impatient(url: string): string {
  return url.replace(/defaultDeadline=\d+/, 'defaultDeadline=1000')
}

async function ask(method: string, url: string) {
  const response = await fetch(url, { method })
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as { url: string }
}

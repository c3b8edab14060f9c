import { storeIdOf } from '../../../projections/engine/schema/store.ts'
import type { EventStore } from '../../../stores/eventStore.ts'
import { serverVersionOf } from '../../../stores/eventStoreDb/connect.ts'
import { adviceOnEventStore } from '../advice.ts'
import { unusedStore } from '../readModels.ts'
import { duration, type Finding, ok, problem } from './finding.ts'

/** Check that the event store answers, its version, and which store it is. */

const leastVersion = [22, 10]

interface StoreHealth {
  readonly findings: readonly Finding[]
  /** undefined when no service has used the store, or it does not answer. */
  readonly storeId?: string | undefined
  /** Position of its last event; undefined when it does not answer. */
  readonly head?: number
}

const check = 'event store'

export async function checkEventStore(
  eventStore: EventStore,
  { url, isEmbedded }: { readonly url: string; readonly isEmbedded: boolean },
  clock: () => number,
): Promise<StoreHealth> {
  try {
    const version = await serverVersionOf(url)
    const started = clock()
    const head = (await eventStore.last())?.position ?? 0
    const took = duration(clock() - started)
    const found = `${nameOf(version)} at ${placeOf(url)}, last event at position ${head}, answered in ${took}`
    const storeId = await storeIdOf(eventStore)
    return {
      head,
      storeId,
      findings: [
        isOld(version)
          ? problem(check, found, `run EventStoreDB or KurrentDB ${leastVersion.join('.')} or later`)
          : ok(check, found),
        storeId ? ok('store id', storeId) : problem('store id', unusedStore.what, unusedStore.todo),
      ],
    }
  } catch (error) {
    return {
      findings: [
        problem(check, `${placeOf(url)}: ${(error as Error).message}`, adviceOnEventStore(error, isEmbedded)),
      ],
    }
  }
}

function isOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major < leastVersion[0]! || (major === leastVersion[0] && minor < leastVersion[1]!)
}

/** EventStoreDB is called KurrentDB from version 25 on. */
function nameOf(version: string): string {
  if (!/^\d/.test(version)) return 'a server of unknown version'
  return `${Number.parseInt(version, 10) >= 25 ? 'KurrentDB' : 'EventStoreDB'} ${version}`
}

/** Return the address without its secrets. */
function placeOf(url: string): string {
  return url.replace(/\/\/.*@/, '//').replace(/\?.*$/, '')
}

import { randomUUID } from 'node:crypto'
import type { CommandContext, Executor } from '../../src/commands/command.ts'
import { createExecutor } from '../../src/commands/execute.ts'
import { connectEventStore, type EventStore } from '../../src/eventStore.ts'
import { alice } from '../support/given.ts'
import { startNode } from '../support/node.ts'

/** One node of the service, as far as commands go: an executor with its own memory and its own connection. */
export interface ServiceNode extends Executor {
  readonly store: EventStore
  /** Whether each append met a conflict. */
  readonly appends: boolean[]
}

/** A store, and as many nodes on it as a spec wants; the store and all nodes share one clock that the spec sets. */
export interface Stage {
  readonly url: string
  /** What the clock says, in milliseconds. */
  time: number
  node(options?: { url?: string; clock?: () => Date; cacheBytes?: number }): ServiceNode
  stop(): Promise<void>
}

/** The store, with its events recorded at the times that `now` said. */
const timed = (store: EventStore, now: () => Date, times: Map<string, string>): EventStore => ({
  ...store,
  append(stream, expected, events) {
    for (const { id } of events) times.set(id, now().toISOString())
    return store.append(stream, expected, events)
  },
  async *readStream(stream, revision) {
    for await (const event of store.readStream(stream, revision)) {
      const created = times.get(event.id)
      yield created === undefined ? event : { ...event, created }
    }
  },
})

/** On this store, else on the one that EVENTSTORE_URL names, else (or with '') on a local node of its own. */
export const startStage = async (given = process.env.EVENTSTORE_URL): Promise<Stage> => {
  const local = given ? undefined : await startNode()
  const stores: EventStore[] = []
  const times = new Map<string, string>()
  const stage: Stage = {
    url: given || local!.url,
    time: Date.parse('2026-03-01T12:00:00.000Z'),
    node({ url = stage.url, clock = () => new Date(stage.time), cacheBytes = 16_777_216 } = {}) {
      const connected = connectEventStore(url)
      stores.push(connected)
      const store = timed(connected, () => new Date(stage.time), times)
      const appends: boolean[] = []
      const onAppend = (_: number, conflict: boolean) => void appends.push(conflict)
      return {
        ...createExecutor({ store, now: clock, newId: randomUUID, cacheBytes, onAppend }),
        store,
        appends,
      }
    },
    async stop() {
      await Promise.all(stores.map((store) => store.close()))
      await local?.stop()
    },
  }
  return stage
}

export const context: CommandContext = { actor: alice, correlationId: 'a correlation' }

/** A request under an Idempotency-Key. */
export const keyed = (key: string, requestHash = 'a body', request = 'POST /somewhere'): CommandContext => ({
  ...context,
  idempotency: { key, caller: alice.id, request, requestHash },
})

/** The refusal that a command meets, as kind and code. */
export const refusalOf = async (outcome: Promise<unknown>): Promise<string> =>
  outcome.then(
    () => 'none',
    (error) => `${error.kind} ${error.code}`,
  )

export const eventsOf = (store: EventStore, stream: string) => Array.fromAsync(store.readStream(stream, 0))

import { randomUUID } from 'node:crypto'
import { clock } from '../../src/clocks.ts'
import type { CommandContext, Executor } from '../../src/commands/command.ts'
import { createExecutor } from '../../src/commands/execute.ts'
import type { EventStore } from '../../src/eventStore.ts'
import { connectEventStore } from '../../src/eventStoreDb/connect.ts'
import { alice } from '../support/given.ts'
import { noNames } from '../support/noNames.ts'
import { givenOrNewStore } from '../support/store.ts'

/** The commands of one node: an executor with its own cache and its own connection. */
export interface ServiceNode extends Executor {
  readonly store: EventStore
  /** Whether each append met a conflict. */
  readonly appends: boolean[]
}

/** A store with any number of nodes. The store and all nodes share one clock, which the spec sets. */
export interface Stage {
  readonly url: string
  /** Milliseconds. */
  time: number
  node(options?: NodeOptions): ServiceNode
  stop(): Promise<void>
}

export interface NodeOptions {
  readonly url?: string
  readonly now?: () => Date
  readonly cacheBytes?: number
}

/** The store; its events are recorded at the times that `now` returned. */
function timed(store: EventStore, now: () => Date, times: Map<string, string>): EventStore {
  return {
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
  }
}

/** @param given the url of the store; by default a given one or a new node, with '' a new node */
export async function startStage(given?: string): Promise<Stage> {
  const eventStore = await givenOrNewStore(given)
  const stores: EventStore[] = []
  const times = new Map<string, string>()
  const stage: Stage = {
    url: eventStore.url,
    time: Date.parse('2026-03-01T12:00:00.000Z'),
    node({ url = stage.url, now = () => new Date(stage.time), cacheBytes = 16_777_216 } = {}) {
      const connected = connectEventStore(url)
      stores.push(connected)
      const store = timed(connected, () => new Date(stage.time), times)
      const appends: boolean[] = []
      const onAppend = (_: number, conflict: boolean) => void appends.push(conflict)
      const options = { store, persons: noNames, now, clock, newId: randomUUID, cacheBytes, onAppend }
      return {
        ...createExecutor(options),
        store,
        appends,
      }
    },
    async stop() {
      await Promise.all(stores.map((store) => store.close()))
      await eventStore.stop()
    },
  }
  return stage
}

export const context: CommandContext = { actor: alice, correlationId: 'a correlation' }

/** A request under an Idempotency-Key. */
export function keyed(key: string, requestHash = 'a body', request = 'POST /somewhere'): CommandContext {
  return {
    ...context,
    idempotency: { key, caller: alice.id, request, requestHash },
  }
}

/** Return the code of the refusal. */
export async function refusalOf(outcome: Promise<unknown>): Promise<string> {
  return outcome.then(
    () => 'none',
    (error) => error.code,
  )
}

export function eventsOf(store: EventStore, stream: string) {
  return Array.fromAsync(store.readStream(stream, 0))
}

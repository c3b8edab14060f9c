import { randomUUID } from 'node:crypto'
import type { CommandContext, Executor } from '../../src/commands/executor/command.ts'
import { createExecutor } from '../../src/commands/executor/execute.ts'
import { clock, now as wallClock } from '../../src/lib/clocks.ts'
import type { EventStore } from '../../src/stores/eventStore.ts'
import { connectEventStore } from '../../src/stores/eventStoreDb/connect.ts'
import { alice } from '../support/given.ts'
import { createMemoryStore } from '../support/memoryStore.ts'
import { noNames } from '../support/noNames.ts'

/** The commands of one node: an executor with its own cache and its own connection. */
export interface ServiceNode extends Executor {
  readonly store: EventStore
  /** Whether each append met a conflict. */
  readonly appends: boolean[]
}

/** A store with any number of nodes. The store and all nodes share one clock, which the spec sets. */
export interface Stage {
  /** Milliseconds. */
  time: number
  node(options?: NodeOptions): ServiceNode
  /** Record an event of another program, which is no JSON. */
  recordBytes(stream: string, type: string): void
}

export interface NodeOptions {
  readonly now?: () => Date
  readonly cacheBytes?: number
  /** Stands between the node and the store. */
  readonly through?: (store: EventStore) => EventStore
}

export function createStage(): Stage {
  const store = createMemoryStore(() => new Date(stage.time))
  const stage: Stage = {
    time: Date.parse('2026-03-01T12:00:00.000Z'),
    node: ({
      now = () => new Date(stage.time),
      cacheBytes = defaultCacheBytes,
      through = (store: EventStore) => store,
    }: NodeOptions = {}) => nodeOn(through(store.connect()), now, cacheBytes),
    recordBytes: store.appendBytes,
  }
  return stage
}

/** Create a node on a server, for specs of what a connection does. `end` closes it. */
export function connectNode(url: string): ServiceNode & { end(): Promise<void> } {
  const store = connectEventStore(url)
  return { ...nodeOn(store, wallClock, defaultCacheBytes), end: store.close }
}

const defaultCacheBytes = 16_777_216

function nodeOn(store: EventStore, now: () => Date, cacheBytes: number): ServiceNode {
  const appends: boolean[] = []
  const onAppend = (_: number, conflict: boolean) => void appends.push(conflict)
  const options = { store, persons: noNames, now, clock, newId: randomUUID, cacheBytes, onAppend }
  return { ...createExecutor(options), store, appends }
}

export const context: CommandContext = { actor: alice, correlationId: 'a correlation' }

/** A request under an Idempotency-Key. */
export function keyed(key: string, requestHash = 'a body', request = 'POST /somewhere'): CommandContext {
  return { ...context, idempotency: { key, caller: alice.id, request, requestHash } }
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

import { randomUUID } from 'node:crypto'
import { registerCertificate } from '../../src/commands/certificates/certificates.ts'
import type { CommandContext, Executor } from '../../src/commands/executor/command.ts'
import { createExecutor } from '../../src/commands/executor/execute.ts'
import { registerOrder } from '../../src/commands/orders/orders.ts'
import { clock, now as wallClock } from '../../src/lib/clocks.ts'
import type { EventStore } from '../../src/stores/eventStore.ts'
import { bareCertificate, bareLine, bareOrder } from '../domain/verdict/facts.ts'
import { alice } from '../support/given.ts'
import { createMemoryStore } from '../support/memoryStore.ts'
import { noNames } from '../support/noNames.ts'

/** A store with a company that has a certificate and an order of two lines. */
export interface Yard {
  readonly store: EventStore
  readonly companyId: string
  readonly orderId: string
  /** Ids of the lines 10 and 20. */
  readonly lineItemIds: readonly [string, string]
  readonly millCertificationId: string
  /** The commands of one node, with a cache of its own. */
  executor(store?: EventStore, now?: () => Date): Executor
  /** The types of a stream's events. */
  typesIn(stream: string): Promise<string[]>
}

export function context(more: Partial<CommandContext> = {}): CommandContext {
  return {
    actor: alice,
    correlationId: 'c',
    ...more,
  }
}

/** A request under an Idempotency-Key. */
export function under(key: string, requestHash = 'the body', request = 'POST /plans'): CommandContext {
  return context({ idempotency: { key, caller: alice.id, request, requestHash } })
}

export async function openYard(): Promise<Yard> {
  const store = createMemoryStore().connect()
  const executor = (own = store, now = wallClock) =>
    createExecutor({ store: own, persons: noNames, now, clock, newId: randomUUID, cacheBytes: 16_000_000 })
  const companyId = randomUUID()
  const { execute } = executor()
  const { body: order } = await execute(
    registerOrder(companyId, 'SO-1', {
      ...bareOrder,
      lineItems: [10, 20].map((lineNumber) => bareLine({ lineNumber, lengthMm: 2_000, quantity: 4 })),
    }),
    context(),
  )
  const { body: certificate } = await execute(
    registerCertificate(companyId, { certificateNumber: 'C-1', heatNumber: 'H-1' }, bareCertificate),
    context(),
  )
  const [line10, line20] = order.lineItems
  return {
    store,
    companyId,
    orderId: order.orderId,
    lineItemIds: [line10!.lineItemId, line20!.lineItemId],
    millCertificationId: certificate.millCertificationId,
    executor,
    async typesIn(stream) {
      return (await Array.fromAsync(store.readStream(stream, 0))).map(({ type }) => type)
    },
  }
}

/** A store that breaks off after this many appends: before it does the next one, or just after. */
export function breakingOff(store: EventStore, appends: number, justAfter = false): EventStore {
  let done = 0
  return {
    ...store,
    async append(...append) {
      if (done > appends || (done === appends && !justAfter)) throw new Error('broke off')
      done += 1
      const appended = await store.append(...append)
      if (done > appends) throw new Error('broke off')
      return appended
    },
  }
}

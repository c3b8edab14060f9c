import type { Queries } from '../postgres/postgres.ts'
import { type Lease, type Renewal, renewLeases } from './lease.ts'

/** Renews leases in rounds: all those of a process take one statement. */
export interface Renewals {
  /** Renew the lease in the next round; false when it is lost, or `over` comes first. @throws PostgresUnavailable */
  next(lease: Lease, condition: () => string | undefined, over: AbortSignal): Promise<boolean>
}

interface Waiting extends PromiseWithResolvers<boolean> {
  readonly lease: Lease
  readonly condition: () => string | undefined
}

/** @param everyMs the pause before a round */
export function createRenewals(postgres: Queries, everyMs = 1_000): Renewals {
  const waiting = new Set<Waiting>()
  let isDue = false

  const renew = async () => {
    isDue = false
    const batch = [...waiting]
    waiting.clear()
    if (batch.length === 0) return
    const renewals = batch.map(({ lease, condition }): Renewal => ({ ...lease, condition: condition() }))
    try {
      const held = await renewLeases(postgres, renewals)
      for (const { lease, resolve } of batch) resolve(held.has(lease.name))
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  return {
    async next(lease, condition, over) {
      if (over.aborted) return false
      const one = { lease, condition, ...Promise.withResolvers<boolean>() }
      waiting.add(one)
      if (!isDue) setTimeout(renew, everyMs).unref()
      isDue = true
      const leave = () => waiting.delete(one) && one.resolve(false)
      over.addEventListener('abort', leave)
      return await one.promise.finally(() => over.removeEventListener('abort', leave))
    },
  }
}

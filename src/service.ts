import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Execute } from './commands/command.ts'
import type { Config } from './config.ts'
import { StoreUnavailable } from './eventStore.ts'
import { projections } from './projections/all.ts'
import type { Projection } from './projections/projection.ts'
import { type Ground, prepareGround } from './roles/ground.ts'
import { serveMetrics, startServing } from './roles/http.ts'
import { startPolicies } from './roles/policies.ts'
import { startProjecting } from './roles/projector.ts'
import type { RulePack } from './rulePacks/compile.ts'
import { loadRulePacks } from './rulePacks/load.ts'
import { createRuleBook } from './rulePacks/ruleBook.ts'

/** The service in this process: whichever of its roles the configuration names, wired together once. */
export interface Service {
  /** Where HTTP is served; undefined without that role. */
  readonly url: string | undefined
  readonly execute: Execute
  /**
   * Waits until the read models show all that is in the store; while they are still being built after some
   * seconds, answers how far they are. One that has stopped is not waited for.
   */
  building(): Promise<{ readonly position: number; readonly head: number } | undefined>
  /**
   * In order: takes no more requests, finishes what runs, gives the lease back, closes connections. What has
   * not ended in time is left to end with the process.
   */
  stop(): Promise<void>
}

/** How long a start waits for the read models. */
const shownWithinMs = 5_000
/** All of a stop: containers are killed after 10 s. A store that says nothing would never let go. */
const stopWithinMs = 6_000

const building: (ground: Ground) => ReturnType<Service['building']> = async ({ eventStore, positions }) => {
  const last = await eventStore.last().catch((error) => {
    // One that went away just now will be back: a start is no time to give up.
    if (!(error instanceof StoreUnavailable)) throw error
    return undefined
  })
  const head = last?.position ?? 0
  const shown = (by: readonly Projection[]) => positions.waitFor(by, head, shownWithinMs)
  if (positions.wentBack() || (await shown(projections))) return undefined
  const stopped = positions.statuses().filter(({ status }) => status === 'failed')
  const running = projections.filter(({ name }) => !stopped.some((one) => one.name === name))
  if (stopped.length > 0 && (await shown(running))) return undefined
  return { position: positions.heard(running), head }
}

/**
 * @param rulePacks those of the release, unless told
 * @throws Error one line that says what cannot start
 */
export const startService = async (
  config: Config,
  log: Logger,
  signal: AbortSignal,
  rulePacks?: readonly RulePack[],
): Promise<Service> => {
  const rules = createRuleBook(rulePacks ?? (await loadRulePacks()))
  const closing: Ground['closing'] = []
  const stop = async () => {
    const late = new AbortController()
    const inTime = pause(stopWithinMs, true, { signal: late.signal }).catch(() => false)
    let tooLate = false
    for (const close of closing.splice(0).reverse()) {
      const closed = close()
      tooLate = (await Promise.race([closed.then(() => false), inTime])) || tooLate
    }
    late.abort()
    if (tooLate) log.warn(`not all has ended within ${stopWithinMs / 1_000} s`)
  }
  try {
    const ground = await prepareGround(config, log, rules, closing, signal)
    const { roles } = config
    if (roles.includes('projector')) startProjecting(ground)
    if (roles.includes('policies')) startPolicies(ground)
    const url = roles.includes('http') ? await startServing(ground) : undefined
    await serveMetrics(ground)
    return {
      url,
      execute: ground.execute,
      building: () => building(ground),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

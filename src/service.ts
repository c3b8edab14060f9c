import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Executor } from './commands/command.ts'
import type { Config } from './config.ts'
import { type Health, keepFromServing } from './health.ts'
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
  readonly executor: Executor
  /** Waits until it can serve, for some seconds; then answers the names of what keeps it from that. */
  notReady(): Promise<readonly string[]>
  /**
   * In order: takes no more requests, finishes what runs, gives the lease back, closes connections. What has
   * not ended in time is left to end with the process.
   */
  stop(): Promise<void>
}

/** How long a start waits for what is not ready, and how often it looks. */
const readyWithinMs = 5_000
const lookEveryMs = 100
/** All of a stop: containers are killed after 10 s. A store that says nothing would never let go. */
const stopWithinMs = 6_000

const notReady = async (health: Health, signal: AbortSignal): Promise<readonly string[]> => {
  const until = performance.now() + readyWithinMs
  for (; ; await pause(lookEveryMs, undefined, { signal })) {
    const parts = keepFromServing(await health())
    if (parts.length === 0 || performance.now() > until) return parts.map(({ name }) => name)
  }
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
      // One that fails keeps nothing from those after it.
      const failed = (error: Error) => log.warn(`a part has not ended in order: ${error.message}`)
      const closed = close().catch(failed)
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
    const serving = roles.includes('http') ? await startServing(ground) : undefined
    await serveMetrics(ground)
    return {
      url: serving?.url,
      executor: ground.executor,
      notReady: async () => (serving ? notReady(serving.health, signal) : []),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

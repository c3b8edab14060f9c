import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import type { Release } from '../../lib/release.ts'
import type { Metrics } from '../monitoring/metrics.ts'
import type { Shutdown } from './shutdown.ts'

/** One process of the service, whatever its process roles: its settings, its clocks, and where it reports. */
export interface Runtime {
  readonly config: Config
  readonly release: Release
  readonly log: Logger
  readonly metrics: Metrics
  readonly shutdown: Shutdown
  /** The wall clock. */
  readonly now: () => Date
  /** Milliseconds that never run backwards. */
  readonly clock: () => number
  readonly newId: () => string
}

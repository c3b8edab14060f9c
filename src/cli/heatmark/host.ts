import type { Output as Stream } from '../progress.ts'
import type { Output } from './output.ts'
import type { Stores } from './stores.ts'

/** The process that a command runs in, or a spec. */
export interface Host {
  readonly env: NodeJS.ProcessEnv
  readonly stdout: Stream
  readonly stderr: Stream
  /** Return a signal for commands that clean up when they are interrupted. The other commands just end. */
  interruption(): AbortSignal
}

/** Runs the work of a command, which returns false for a finding. */
export interface Runner {
  readonly host: Host
  report(work: (output: Output) => Promise<unknown>): Promise<void>
  onStores(work: (stores: Stores, output: Output) => Promise<unknown>): Promise<void>
}

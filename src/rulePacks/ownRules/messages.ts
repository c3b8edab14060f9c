import type { Parameters, RuleOutcome, RuleSubject } from '../../domain/rulePacks/ruleBook.ts'
import type { PackContent } from '../rulePack.ts'
import type { Checked } from './check.ts'

/** The messages between the service and the thread that runs the expressions of companies. */

/** A pack in force, with the company's choices. The hash names its document. */
export interface PackInForce {
  readonly hash: string
  readonly parameters?: Parameters | undefined
}

export interface Evaluation {
  readonly packs: readonly PackInForce[]
  /** The documents that the thread has asked for, by hash. */
  readonly documents: Readonly<Record<string, PackContent>>
  readonly subject: RuleSubject
  /** Ids of all rule packs that the company subscribes to. */
  readonly subscribed: readonly string[]
}

export type ToWorker = { readonly check: PackContent } | { readonly evaluate: Evaluation }

/** An outcome with its values looked up. */
export type Outcome = Omit<RuleOutcome, 'values'> & { readonly values: ReturnType<RuleOutcome['values']> }

export type FromWorker =
  | { readonly ready: true }
  | { readonly checked: Checked }
  /** The hashes of packs whose documents the thread does not have. */
  | { readonly missing: readonly string[] }
  /** The rules of each pack that match or cannot be evaluated. */
  | { readonly outcomes: readonly (readonly Outcome[])[] }
  | { readonly failed: string }

/** A message of the thread as it is sent. */
export type Sent = FromWorker & {
  /** The CPU time that the thread has used since its start, in milliseconds. */
  readonly cpuMs: number
}

import type { Actor } from '../../domain/kernel/event.ts'
import type { Permission } from '../../identity/permissions.ts'

/** The runs of companies: long work that somebody of a company has asked for, one row each in `heatmark_local`. */

export const runKinds = ['orderPack', 'companyExport'] as const
export type RunKind = (typeof runKinds)[number]

export const runStatuses = ['waiting', 'running', 'succeeded', 'failed'] as const
type RunStatus = (typeof runStatuses)[number]

/** The person or program that asked, and by what right. A name is kept nowhere but in the memory of the process. */
interface Starter extends Pick<Actor, 'id' | 'kind'> {
  /** The API key of the request; undefined for a token. */
  readonly keyId?: string | undefined
  /** The permission that the run needs. */
  readonly permission: Permission
}

export interface NewRun {
  readonly companyId: string
  readonly runId: string
  readonly kind: RunKind
  readonly input: object
  /** Tells a repeat under one Idempotency-Key from another request. */
  readonly requestHash: string
  readonly startedBy: Starter
}

/** A run as it is answered. */
export interface CompanyRun {
  readonly runId: string
  readonly kind: RunKind
  /** The order whose pack the run makes; null for other kinds. */
  readonly orderId: string | null
  readonly status: RunStatus
  /** From 0 to 1. */
  readonly progress: number
  readonly result: object | null
  readonly error: RunError | null
  /** Until when the export that the run has written can be downloaded; null if there is none, or it was replaced. */
  readonly availableUntil: string | null
  readonly startedBy: string
  readonly createdAt: string
  readonly updatedAt: string
}

export interface RunError {
  readonly code: string
  readonly detail: string
}

/** A run that this process works on. */
export interface ClaimedRun extends Pick<NewRun, 'companyId' | 'runId' | 'kind' | 'input' | 'startedBy'> {
  readonly attempt: number
}

export type Ending =
  | { readonly status: 'succeeded'; readonly result: object }
  | { readonly status: 'failed'; readonly error: RunError }

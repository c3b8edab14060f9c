import { isSameNumber } from '../../domain/kernel/spellings.ts'
import type { ProblemDocument } from '../api/problem.ts'

/**
 * The taps of the saw, from the finger to the answer of the service: pure functions on lists of taps. Times are given to
 * them; nothing here asks a clock, a network or a storage.
 */

export type Act =
  | { readonly kind: 'start' }
  | { readonly kind: 'complete'; readonly markTransferred?: boolean }
  | { readonly kind: 'heat'; readonly heatNumber: string }
  | { readonly kind: 'certificate'; readonly millCertificationId: string; readonly heatNumber: string }
  | { readonly kind: 'takeBack'; readonly to: 'Draft' | 'Approved' | 'Started'; readonly reason: string }

/** Something that a person has done to a bar. It waits until the service has answered. */
export interface Tap {
  /** The Idempotency-Key of its request. */
  readonly key: string
  /** Taps are sent in this order. It is the time of this device in milliseconds, or one more than the last order. */
  readonly order: number
  readonly userId: string
  readonly companyId: string
  readonly barId: string
  /** The bar in words, for a refusal that is shown later. */
  readonly barName: string
  readonly act: Act
  /** The revision of the bar that the person saw. */
  readonly revision: number
  /** By the clock of the service, as an RFC 3339 time. */
  readonly performedAt: string
  /** When this device got the answer that it is recorded, in milliseconds. */
  readonly sentAt?: number
  /** The ETag of the bar after it was recorded. */
  readonly etag?: string | undefined
  /** Why the service has refused it. */
  readonly refusal?: Refusal
}

export interface Refusal {
  /** Undefined: the tap was not sent, because an earlier one on the same bar was refused. */
  readonly problem?: ProblemDocument
  /** The person has read it. */
  readonly isSeen: boolean
}

export function inOrder(taps: readonly Tap[]): readonly Tap[] {
  return taps.toSorted((one, other) => one.order - other.order)
}

/** Return the order of a tap that is made now. It is the last one even if the clock was set back. */
export function nextOrder(taps: readonly Tap[], nowMs: number): number {
  return Math.max(nowMs, ...taps.map(({ order }) => order + 1))
}

export function isWaiting({ sentAt, refusal }: Tap): boolean {
  return sentAt === undefined && refusal === undefined
}

/** Return the tap to send next. Those of other persons wait until they log in. */
export function nextTap(taps: readonly Tap[], userId: string): Tap | undefined {
  return inOrder(taps).find((tap) => tap.userId === userId && isWaiting(tap))
}

/**
 * Return the condition on which the tap is sent. To start a bar, to choose its certificate and to take a step back are
 * decisions on the bar that the person saw. Taps on the same bar that the person made before, and that the screen may
 * not have shown yet, are a part of what the person saw. A completion and a heat that was read are facts: they are
 * recorded whatever has happened to the bar meanwhile.
 */
export function conditionOf(taps: readonly Tap[], { act, revision, ...tap }: Tap): string {
  if (act.kind === 'complete' || act.kind === 'heat') return '*'
  const last = inOrder(taps).findLast(
    ({ order, userId, barId, etag }) =>
      order < tap.order && userId === tap.userId && barId === tap.barId && etag !== undefined,
  )
  const own = Number(/\d+/.exec(last?.etag ?? '')?.[0] ?? 0)
  return `"${Math.max(revision, own)}"`
}

/**
 * Return what a refusal changes. Later taps on the same bar relied on the refused one, so they are not sent: a bar whose
 * heat was refused must not be started with another.
 */
export function refuse(taps: readonly Tap[], refused: Tap, problem: ProblemDocument): readonly Tap[] {
  const isLater = (tap: Tap) =>
    isWaiting(tap) &&
    tap.order > refused.order &&
    tap.userId === refused.userId &&
    tap.companyId === refused.companyId &&
    tap.barId === refused.barId
  return [
    { ...refused, refusal: { problem, isSeen: false } },
    ...inOrder(taps.filter(isLater)).map((tap) => ({ ...tap, refusal: { isSeen: false } })),
  ]
}

/** Milliseconds for which a sent tap is kept, in case its bar cannot be read again. */
const sentForMs = 3_600_000
/** The service takes no tap that is older than this many milliseconds. */
const takenForMs = 24 * 3_600_000
/** A tap that nobody looks at is kept for this many milliseconds. */
const keptForMs = 30 * takenForMs

/** Return the recorded taps that every read of their bar shows by now, and those that are very old. */
export function findOutdated(taps: readonly Tap[], nowMs: number): readonly Tap[] {
  return taps.filter(
    ({ sentAt, order }) => (sentAt !== undefined && nowMs - sentAt > sentForMs) || nowMs - order > keptForMs,
  )
}

/** Whether the service will never record the tap, because nobody could send it in time. */
export function isTooLate(tap: Tap, nowMs: number): boolean {
  return isWaiting(tap) && nowMs - tap.order > takenForMs
}

type BarState = 'Draft' | 'Approved' | 'Started' | 'Completed' | 'Cancelled'

/** The members of a bar that a tap changes. */
interface Tapped {
  readonly barId: string
  readonly status: BarState
  readonly startedAt: string | null
  readonly completedAt: string | null
  readonly heatRead: { readonly heatNumber: string; readonly by: string; readonly at: string } | null
  readonly certificate?: { readonly heatNumber: string } | null
  readonly verdict?: {
    readonly mayBeCut: boolean
    readonly findings?: readonly {
      readonly code: string
      readonly severity: string
      readonly override?: object
    }[]
  } | null
}

/**
 * Return the bar as it will be once the service has recorded its taps. The verdict on another heat is not known before;
 * the heat of its certificate only had to be read.
 * @param readAtMs when this device has read the bar: sent taps are in it since then
 */
export function afterTaps<Bar extends Tapped>(bar: Bar, readAtMs: number, taps: readonly Tap[]): Bar {
  return inOrder(taps)
    .filter(({ barId, sentAt, refusal }) => {
      const isShown = sentAt !== undefined && sentAt < readAtMs
      return barId === bar.barId && !isShown && !refusal
    })
    .reduce(afterTap, bar)
}

function afterTap<Bar extends Tapped>(bar: Bar, { act, performedAt, userId }: Tap): Bar {
  switch (act.kind) {
    case 'start':
      return { ...bar, status: 'Started', startedAt: performedAt }
    case 'complete':
      return { ...bar, status: 'Completed', completedAt: performedAt }
    case 'takeBack':
      return { ...bar, status: act.to }
    case 'heat':
    case 'certificate': {
      const heatRead = { heatNumber: act.heatNumber, marked: true, by: userId, at: performedAt }
      if (act.kind === 'heat' && bar.certificate && isSameNumber(bar.certificate.heatNumber, act.heatNumber))
        return { ...bar, heatRead, ...(bar.verdict && { verdict: withHeatRead(bar.verdict) }) }
      const { verdict: _, ...rest } = bar
      return { ...rest, heatRead, certificate: null } as unknown as Bar
    }
  }
}

function withHeatRead(verdict: NonNullable<Tapped['verdict']>): NonNullable<Tapped['verdict']> {
  const findings = verdict.findings?.filter(({ code }) => code !== 'heat-unread') ?? []
  return {
    ...verdict,
    findings,
    mayBeCut: !findings.some(({ severity, override }) => severity === 'Block' && !override),
  }
}

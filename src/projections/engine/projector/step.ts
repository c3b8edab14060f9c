import type { Recorded } from '../../../domain/kernel/event.ts'
import type { Checkpoint } from '../../../stores/subscription/checkpoint.ts'
import { checkpointOf } from '../../../stores/subscription/recentEvents.ts'
import type { FoldFailure } from '../rows/fold.ts'
import type { StoredState } from '../schema/checkpoints.ts'
import type { ProjectionFailure } from '../schema/schema.ts'
import { failureOf } from './failure.ts'
import type { LiveProjection, LiveProjections } from './liveProjections.ts'

/** A projection that stops in a batch. */
export interface Stopped {
  readonly live: LiveProjection
  readonly failure: ProjectionFailure
}

/** The checkpoints and the stopped projections after a batch. */
export interface Step {
  readonly shared: Checkpoint
  /** Projections whose own checkpoints change: undefined for one that catches up with the others. */
  readonly own: ReadonlyMap<LiveProjection, Checkpoint | undefined>
  readonly stopped: readonly Stopped[]
  /** The projections that take part, by name, with their generations. */
  readonly moved: Readonly<Record<string, number>>
}

export function stepOf(
  running: LiveProjections,
  events: readonly Recorded[],
  folded: readonly { readonly live: LiveProjection; readonly failure: FoldFailure | undefined }[],
  now: () => Date,
): Step {
  const failures = new Map<LiveProjection, FoldFailure>()
  for (const { live, failure } of folded) if (failure) failures.set(live, failure)
  const last = checkpointOf(events.at(-1)!)
  const shared = last.position > running.shared.position ? last : running.shared
  const own = new Map<LiveProjection, Checkpoint | undefined>()
  const moved: Record<string, number> = {}
  for (const live of running.all()) {
    const before = live.own ?? running.shared
    if (before.position >= last.position) continue
    moved[live.projection.name] = live.generation
    const failure = failures.get(live)
    if (failure) own.set(live, placeBefore(failure.event, events, before))
    else if (live.own) own.set(live, last === shared ? undefined : last)
  }
  const stopped = Array.from(failures, ([live, failure]) => ({ live, failure: failureOf(failure, now) }))
  return { shared, own, stopped, moved }
}

/**
 * The rows of a projection that has stopped show every event before the one that stopped it, and so does its
 * checkpoint.
 */
function placeBefore({ position }: Recorded, events: readonly Recorded[], begin: Checkpoint): Checkpoint {
  const before = events.findLast((event) => event.position < position)
  return before && before.position > begin.position ? checkpointOf(before) : begin
}

/** The projections whose stored states change by the step. */
export function statesAfter({ own, stopped }: Step): StoredState[] {
  return Array.from(own, ([live, checkpoint]) => {
    const failure = stopped.find((one) => one.live === live)?.failure ?? null
    return {
      name: live.projection.name,
      generation: live.generation,
      status: failure ? 'failed' : 'running',
      failure,
      own: checkpoint,
    }
  })
}

/** Note that the step was taken. */
export function take(running: LiveProjections, { shared, own, stopped }: Step): void {
  running.shared = shared
  for (const [live, checkpoint] of own) live.own = checkpoint
  if (stopped.length > 0) running.remove(stopped.map(({ live }) => live))
}

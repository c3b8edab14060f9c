import type { CommandContext, Executor, Outcome } from '../commands/command.ts'
import { Refusal } from '../domain/refusal.ts'
import { rewoundCode } from '../subscription/checkpoint.ts'
import type { Stores } from './stores.ts'

/**
 * Refuse commands while the event store is rewound: its history is not the one that the read models show. The
 * projector takes a moment to notice, so an event recorded at a position that was shown before counts as not recorded.
 */
export function recordInOneHistory(
  executor: Executor,
  { positions, readModels }: Pick<Stores, 'positions' | 'readModels'>,
): Executor {
  const guarded = async <Answer>(
    { dryRun }: CommandContext,
    run: () => Promise<Outcome<Answer>>,
  ): Promise<Outcome<Answer>> => {
    if (positions.isRewound()) throw rewound()
    const shown = positions.heard(readModels.projections)
    const outcome = await run()
    const isNew = outcome.recorded.length > 0 && !outcome.replayed && !dryRun
    if (isNew && outcome.position <= shown) throw rewound()
    return outcome
  }
  return {
    execute: (command, context) => guarded(context, () => executor.execute(command, context)),
    check: (check, context) => guarded(context, () => executor.check(check, context)),
  }
}

function rewound(): Refusal {
  return new Refusal(
    rewoundCode,
    'The event store has lost events that were recorded before. Nothing counts as recorded until an operator has mended that.',
  )
}

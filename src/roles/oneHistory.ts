import type { CommandContext, Executor, Outcome } from '../commands/command.ts'
import { Refusal } from '../domain/refusal.ts'
import { projections } from '../projections/all.ts'
import type { Positions } from '../projections/reading/waitFor.ts'
import { rewoundCode } from '../subscription/checkpoint.ts'

/**
 * Refuse commands while the event store is rewound: its history is not the one that the read models show. The
 * projector takes a moment to notice, so an event recorded at a position that was shown before counts as not recorded.
 */
export function recordInOneHistory(executor: Executor, positions: Positions): Executor {
  const guarded = async <Answer>(run: () => Promise<Outcome<Answer>>): Promise<Outcome<Answer>> => {
    if (positions.isRewound()) throw rewound()
    const shown = positions.heard(projections)
    const outcome = await run()
    const isNew = outcome.recorded.length > 0 && !outcome.replayed
    if (isNew && outcome.position <= shown) throw rewound()
    return outcome
  }
  return {
    execute: (command, context: CommandContext) => guarded(() => executor.execute(command, context)),
    check: (check, context: CommandContext) => guarded(() => executor.check(check, context)),
  }
}

function rewound(): Refusal {
  return new Refusal(
    'unavailable',
    rewoundCode,
    'The event store has lost events that were recorded before. Nothing counts as recorded until an operator has mended that.',
  )
}

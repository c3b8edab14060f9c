import type { DomainEvent } from '../../domain/kernel/event.ts'
import { forbidden } from '../../domain/kernel/refusal.ts'
import { changesOnlySubstitutes, grantsSubstitutes } from '../../domain/orders/substitutes.ts'
import type { IsQuality } from '../company/qualityOnly.ts'
import { type Command, withGuard } from '../executor/command.ts'

/** Refuse a change of the steels that an order allows as substitutes, unless the caller has the role Quality or Admin. */
export function keepingSubstitutes<Answer>(command: Command<Answer>, isQuality: IsQuality): Command<Answer> {
  return withGuard(command, {
    load: () => isQuality(),
    refuse: (events: readonly DomainEvent[], mayGrant) => {
      if (!mayGrant && events.some(grantsSubstitutes))
        throw forbidden(
          'Only the roles Quality and Admin change the allowed substitutes of an order, so nothing was recorded. Ask a colleague with one of these roles, or leave allowedSubstitutes as it is.',
        )
    },
  })
}

/** Refuse a change of any other value of an order, unless the caller may plan. */
export function keepingDemands<Answer>(
  command: Command<Answer>,
  mayPlan: () => Promise<boolean>,
): Command<Answer> {
  return withGuard(command, {
    load: () => mayPlan(),
    refuse: (events: readonly DomainEvent[], isPlanner) => {
      if (!isPlanner && !events.every(changesOnlySubstitutes))
        throw forbidden(
          'Without the role Planner or Admin, only the allowed substitutes of an order can be changed, so nothing was recorded. Ask a colleague with one of these roles.',
        )
    },
  })
}

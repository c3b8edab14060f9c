import type { Actor } from '../../src/domain/kernel/event.ts'
import { loadRulePacks } from '../../src/rulePacks/load.ts'
import { createRuleBook } from '../../src/rulePacks/ruleBook.ts'
import { createChance } from './chance.ts'
import { createShop } from './shop.ts'
import type { Past, PastEvent } from './stream.ts'

/**
 * The history of some companies: tags, certificates, orders, assignments, plans and bars. The domain itself decides
 * its events. It is the same in every run and never ends, so a shorter one is the beginning of a longer one.
 */

const companies = 40
/** One company in this many subscribes to all rule packs. */
const withRules = 4
const began = Date.parse('2024-01-01T00:00:00Z')
const betweenCommandsMs = 20_000

const actors: readonly Actor[] = ['Edith Editor', 'Paul Planner', 'Bulk intake'].map((name, index) => ({
  id: `user-${index}`,
  name,
  kind: index === 2 ? 'application' : 'user',
}))

export async function* history({ between }: Pick<Past, 'between'> = {}): AsyncGenerator<PastEvent> {
  const rules = createRuleBook(await loadRulePacks())
  const chance = createChance(42)
  let commands = 0
  const past = {
    chance,
    rules,
    actors,
    now: () => new Date(began + ++commands * betweenCommandsMs).toISOString(),
    ...(between && { between }),
  }
  let happened: PastEvent[] = []
  const record = (event: PastEvent) => void happened.push(event)
  const shops = Array.from({ length: companies }, (_, index) =>
    createShop(past, record, index % withRules === 0),
  )
  for (;;) {
    yield* happened
    happened = []
    chance.pick(shops).work()
  }
}

export async function* firstEvents(
  count: number,
  options?: Pick<Past, 'between'>,
): AsyncGenerator<PastEvent> {
  let given = 0
  for await (const event of history(options)) {
    if (given++ === count) return
    yield event
  }
}

import { randomUUID } from 'node:crypto'
import { noRuleBook } from '../../domain/rulePacks/ruleBook.ts'
import { clock, now } from '../../lib/clocks.ts'
import { type Commands, createCommands } from '../../processes/parts/commands.ts'
import { followPositions, type Positions } from '../../projections/engine/reading/waitFor.ts'
import type { ReadModels } from '../../projections/engine/schema/readModels.ts'
import type { Stores } from './stores.ts'

/** The author of the events, because no user of the service gives these commands. */
export const operator = { id: 'heatmark-cli', name: 'Operator at the command line', kind: 'service' } as const

const cacheBytes = 1_048_576

/** Do work with the commands of the service, and with what its read models show. */
export async function withCommands<Result>(
  { eventStore, postgres, databaseUrl }: Stores,
  readModels: ReadModels,
  work: (commands: Commands, positions: Positions) => Promise<Result>,
): Promise<Result> {
  const positions = followPositions({ url: databaseUrl, readModels, clock, now })
  try {
    const stores = { eventStore, requests: postgres, readModels, positions }
    return await work(
      createCommands({ clock, now, newId: randomUUID, cacheBytes }, stores, noRuleBook),
      positions,
    )
  } finally {
    await positions.close()
  }
}

import { setTimeout as pause } from 'node:timers/promises'
import { findConditions } from '../../../projections/engine/operations/conditions.ts'
import type { ReadModels } from '../../../projections/engine/schema/readModels.ts'
import { type ProjectionState, readStates } from '../../../projections/engine/schema/schema.ts'
import { readSkips } from '../../../projections/engine/schema/skips.ts'
import type { EventStore } from '../../../stores/eventStore.ts'
import type { Postgres } from '../../../stores/postgres/postgres.ts'
import { skipText, skipTodo } from '../projections.ts'
import type { SchemaLook } from '../readModels.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

/** Check that this release's read models exist, belong to this store's history, run and are up to date. */

/** A healthy projector catches up within this time. */
export const catchUpMs = 2_000
const lookEveryMs = 100

interface ReadModelsOptions {
  readonly eventStore: EventStore
  readonly postgres: Postgres
  readonly readModels: ReadModels
  /** The state of their schema. */
  readonly look: SchemaLook
  readonly head: number
  readonly clock: () => number
}

/** @param options `isLed` tells whether to wait for projections that are behind */
export async function checkReadModels(
  options: ReadModelsOptions & { readonly isLed: boolean },
): Promise<Finding[]> {
  const { postgres, head, clock, readModels, look, isLed } = options
  const check = 'read models'
  if (look.fault) return [problem(check, look.fault.what, look.fault.todo)]
  const more =
    look.others.length > 0 ? `; ${look.others.length} of other releases ("heatmark projections prune")` : ''
  const states = await settledStates(postgres, readModels, head, clock, isLed ? catchUpMs : 0)
  return [ok(check, `schema ${readModels.schema}${more}`), ...(await checkStates(options, states))]
}

/** Return the states when every running projection has reached `head`, or after so long. */
async function settledStates(
  postgres: Postgres,
  readModels: ReadModels,
  head: number,
  clock: () => number,
  withinMs: number,
): Promise<ProjectionState[]> {
  const end = clock() + withinMs
  for (;;) {
    const states = await readStates(postgres, readModels)
    if (states.every(({ status, position }) => status === 'failed' || position >= head)) return states
    if (clock() > end) return states
    await pause(lookEveryMs)
  }
}

/** Return the finding of the history, then one for each projection that has a problem or is behind. */
async function checkStates(
  options: ReadModelsOptions,
  states: readonly ProjectionState[],
): Promise<Finding[]> {
  const { head } = options
  const conditions = await findConditions(options, states)
  const rewound = [...conditions.values()].find(({ status }) => status === 'went-back')
  if (rewound) return [problem('history', rewound.what, rewound.todo)]
  const faults = states.flatMap(({ name, position }) => {
    const condition = conditions.get(name)
    if (condition) return [problem(`projection ${name}`, condition.what, condition.todo)]
    if (position >= head) return []
    const todo =
      'if its position moves ("heatmark status"), wait; otherwise resolve the problem of the projector above'
    return [problem(`projection ${name}`, `at ${position}, behind the store's ${head}`, todo)]
  })
  const well = ok('projections', `${states.length} running, none behind position ${head}`)
  return [
    ok('history', 'the store has the events that the read models end with'),
    ...(faults.length > 0 ? faults : [well]),
    ...(await readSkips(options.postgres, options.readModels)).map((skip) => {
      const check = `skip of ${skip.projection}`
      return skip.automatic ? warning(check, skipText(skip), skipTodo(skip)) : ok(check, skipText(skip))
    }),
  ]
}

import { setTimeout as pause } from 'node:timers/promises'
import type { EventStore } from '../../../eventStore.ts'
import type { Postgres } from '../../../postgres.ts'
import { projections } from '../../../projections/all.ts'
import { findTroubles } from '../../../projections/operations/troubles.ts'
import { type ProjectionState, readStates } from '../../../projections/schema/schema.ts'
import { readSkips } from '../../../projections/schema/skips.ts'
import { skipText } from '../projections.ts'
import type { SchemaLook } from '../readModels.ts'
import { type Finding, ok, problem } from './finding.ts'

/** Check that this release's read models exist, belong to this store's history, run and are up to date. */

/** A healthy projector catches up within this time. */
export const catchUpMs = 2_000
const lookEveryMs = 100

/** Return the states when every running projection has reached `head`, or after so long. */
async function settledStates(
  postgres: Postgres,
  schema: string,
  head: number,
  clock: () => number,
  withinMs: number,
): Promise<ProjectionState[]> {
  const end = clock() + withinMs
  for (;;) {
    const states = await readStates(postgres, schema)
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
  const troubles = await findTroubles({ ...options, projections }, states)
  const rewound = [...troubles.values()].find(({ status }) => status === 'went-back')
  if (rewound) return [problem('history', rewound.what, rewound.todo)]
  const faults = states.flatMap(({ name, position }) => {
    const trouble = troubles.get(name)
    if (trouble) return [problem(`projection ${name}`, trouble.what, trouble.todo)]
    if (position >= head) return []
    const todo =
      'if its position moves ("heatmark status"), wait; otherwise resolve the problem of the projector above'
    return [problem(`projection ${name}`, `at ${position}, behind the store's ${head}`, todo)]
  })
  const well = ok('projections', `${states.length} running, none behind position ${head}`)
  return [
    ok('history', 'the store has the events that the read models end with'),
    ...(faults.length > 0 ? faults : [well]),
    ...(await readSkips(options.postgres, options.schema)).map((skip) =>
      ok(`skip of ${skip.projection}`, skipText(skip)),
    ),
  ]
}

export interface ReadModelsOptions {
  readonly eventStore: EventStore
  readonly postgres: Postgres
  readonly schema: string
  /** The state of that schema. */
  readonly look: SchemaLook
  readonly head: number
  readonly clock: () => number
}

/** @param options `isLed` tells whether to wait for projections that are behind */
export async function checkReadModels(
  options: ReadModelsOptions & { readonly isLed: boolean },
): Promise<Finding[]> {
  const { postgres, head, clock, schema, look, isLed } = options
  const check = 'read models'
  if (look.fault) return [problem(check, look.fault.what, look.fault.todo)]
  const more =
    look.others.length > 0 ? `; ${look.others.length} of other releases ("heatmark projections prune")` : ''
  const states = await settledStates(postgres, schema, head, clock, isLed ? catchUpMs : 0)
  return [ok(check, `schema ${schema}${more}`), ...(await checkStates(options, states))]
}

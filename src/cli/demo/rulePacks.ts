import { setTimeout as pause } from 'node:timers/promises'
import { clock } from '../../lib/clocks.ts'
import { withProgress } from '../progress.ts'
import { type Caller, countNew, loadEach } from './caller.ts'

type RulePack = {
  readonly id: string
  readonly subscribed: boolean
  readonly evaluation: { readonly status: string; readonly done: number; readonly total: number }
}

/** The interval at which the demo reads how far the evaluation is. */
const pollEveryMs = 250
/** The demo gives up when an evaluation makes no progress for this long. */
const patienceMs = 30_000

/**
 * Subscribe the company to every rule pack, and wait until the service has evaluated all subjects in the background.
 * @throws Error when the evaluation makes no progress for `patience` milliseconds
 */
export async function subscribeToRulePacks(caller: Caller, patience = patienceMs): Promise<void> {
  const { admin, company } = caller
  const packs = await listRulePacks(caller)
  await loadEach(
    caller,
    'rule packs',
    packs,
    async ({ id, subscribed }) => {
      if (!subscribed) await admin('POST', `${company}/rule-packs/${id}/subscribe`)
      return { isNew: !subscribed }
    },
    countNew,
  )
  await withProgress(
    caller.output,
    { label: 'evaluated', total: packs.length },
    (step) => untilEvaluated(caller, patience, step),
    (done) => `${done} pairs of a rule pack and a subject`,
  )
}

async function listRulePacks({ admin, company }: Caller): Promise<RulePack[]> {
  const { body } = await admin<RulePack[]>('GET', `${company}/rule-packs`)
  return body
}

/** Return the number of evaluations once all are done. `reached` is called with the progress. */
async function untilEvaluated(
  caller: Caller,
  patience: number,
  report: (done: number, total: number) => void,
): Promise<number> {
  let last = -1
  let movedAt = clock()
  for (;;) {
    const evaluations = (await listRulePacks(caller))
      .filter(({ subscribed }) => subscribed)
      .map(({ evaluation }) => evaluation)
    const done = evaluations.reduce((sum, evaluation) => sum + evaluation.done, 0)
    // Every pack has the same subjects, so the largest total also holds for packs that have not begun.
    const most = Math.max(...evaluations.map(({ total }) => total), 1)
    report(done, most * evaluations.length)
    if (evaluations.every(({ status }) => status === 'done')) return done
    if (done !== last) movedAt = clock()
    last = done
    if (clock() - movedAt > patience)
      throw new Error(
        `the rule packs are not evaluated yet: there was no progress for ${patience / 1_000} s. ` +
          'Everything else is loaded. Run "heatmark doctor" to see what stops the evaluation.',
      )
    await pause(pollEveryMs)
  }
}

import { setTimeout as pause } from 'node:timers/promises'
import { withProgress } from '../progress.ts'
import { type Caller, countNew, loadEach } from './caller.ts'

type RulePack = {
  readonly id: string
  readonly subscribed: boolean
  readonly evaluation: { readonly status: string; readonly done: number; readonly total: number }
}

/** The service is asked this often how far it is. */
const lookEveryMs = 250
/** An evaluation that does not move for so long is not waited for any longer. */
const patienceMs = 30_000

/**
 * Subscribes the company to every rule pack, and waits until the service has evaluated them on everything that
 * is loaded: it does so in the background.
 * @throws Error when the evaluation does not get on
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
    (done) => `${done} times a rule pack on a certificate or an order`,
  )
}

async function listRulePacks({ admin, company }: Caller): Promise<RulePack[]> {
  const { body } = await admin<RulePack[]>('GET', `${company}/rule-packs`)
  return body
}

/** How many evaluations there were, once all are done; `reached` is told on the way. */
async function untilEvaluated(
  caller: Caller,
  patience: number,
  reached: (done: number, total: number) => void,
): Promise<number> {
  let last = -1
  let movedAt = performance.now()
  for (;;) {
    const evaluations = (await listRulePacks(caller))
      .filter(({ subscribed }) => subscribed)
      .map(({ evaluation }) => evaluation)
    const done = evaluations.reduce((sum, evaluation) => sum + evaluation.done, 0)
    // One that has not begun does not know its total yet: every pack is evaluated on the same subjects.
    const most = Math.max(...evaluations.map(({ total }) => total), 1)
    reached(done, most * evaluations.length)
    if (evaluations.every(({ status }) => status === 'done')) return done
    if (done !== last) movedAt = performance.now()
    last = done
    if (performance.now() - movedAt > patience)
      throw new Error(
        `the rule packs have not been evaluated: nothing moved for ${patience / 1_000} s. ` +
          'Everything else is loaded; "heatmark doctor" says what keeps the service from it.',
      )
    await pause(lookEveryMs)
  }
}

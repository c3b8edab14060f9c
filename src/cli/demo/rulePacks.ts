import { type Caller, countNew, loadEach } from './caller.ts'

type RulePack = { readonly id: string; readonly subscribed: boolean }

/** Subscribes the company to every rule pack: what is loaded already is evaluated in the background. */
export async function subscribeToRulePacks(caller: Caller): Promise<void> {
  const { admin, company } = caller
  const { body: packs } = await admin<RulePack[]>('GET', `${company}/rule-packs`)
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
}

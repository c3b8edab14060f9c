import { beforeAll, describe, expect, it } from 'vitest'
import { type Attack, attacksWith, outcomeOf, type Verifier } from './attacks.ts'
import { newKey } from './histories.ts'
import { type Mutant, mutants } from './mutants.ts'

/** Each check of the verifier is needed: without it, the verifier answers one of the attacks in another way. */

let attacks: readonly Attack[]
beforeAll(async () => {
  attacks = await attacksWith(newKey(), newKey())
})

describe('the verifier without', () => {
  it.each(mutants<Verifier>('verifyExport.ts'))('$name', async (mutant) => {
    expect(await foundBy(mutant)).toBeDefined()
  })
})

/** Return the name of the first attack that the mutant answers wrongly. Attacks that seem to be about the check come first. */
async function foundBy(mutant: Mutant<Verifier>): Promise<string | undefined> {
  const verifier = await mutant.load()
  const words = wordsOf(mutant.check)
  const near = ({ message }: Attack) => words.intersection(wordsOf(message)).size
  for (const attack of attacks.toSorted((a, b) => near(b) - near(a))) {
    const outcome = await outcomeOf(verifier, attack).catch((error) => `failed: ${error}`)
    if (outcome !== attack.message) return attack.name
  }
  return undefined
}

function wordsOf(text: string): Set<string> {
  return new Set(text.match(/[a-z]{4,}/g))
}

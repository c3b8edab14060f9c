import { describe, expect, it } from 'vitest'
import * as verifier from '../../../examples/verify/verifyPack.ts'
import { newKey } from './histories.ts'
import { type Mutant, mutants } from './mutants.ts'
import { outcomeOf, type PackVerifier, packAttacks } from './packAttacks.ts'

/** The verifier of packs answers every attack, and needs each of its checks for that. */

const attacks = packAttacks(newKey(), newKey())

it.each(attacks)('answers $name', async (attack) => {
  expect(await outcomeOf(verifier, attack)).toBe(attack.message)
})

describe('the verifier of packs without', () => {
  it.each(mutants<PackVerifier>('verifyPack.ts', ['headOf']))('$name', async (mutant) => {
    expect(await foundBy(mutant)).toBeDefined()
  })
})

/** Return the name of the first attack that the mutant answers wrongly. */
async function foundBy(mutant: Mutant<PackVerifier>): Promise<string | undefined> {
  const mutated = await mutant.load()
  for (const attack of attacks) {
    const outcome = await outcomeOf(mutated, attack).catch((error) => `failed: ${error}`)
    if (outcome !== attack.message) return attack.name
  }
  return undefined
}

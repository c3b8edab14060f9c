import { beforeAll, describe, expect, it } from 'vitest'
import * as verifier from '../../../examples/verify/verifyCompanyExport.ts'
import {
  type CompanyAttack,
  type CompanyVerifier,
  companyAttacks,
  outcomeOf,
} from './companyExportAttacks.ts'
import { newKey } from './histories.ts'
import { mutants } from './mutants.ts'

/** The verifier of exports of a company answers every attack, and needs each of its checks for that. */

let attacks: readonly CompanyAttack[]
beforeAll(async () => {
  attacks = await companyAttacks(newKey(), newKey())
})

it('answers every attack', async () => {
  const given = await Promise.all(attacks.map((attack) => outcomeOf(verifier, attack)))
  const named = (messages: readonly string[]) =>
    messages.map((message, at) => `${attacks[at]!.name}: ${message}`)
  expect(named(given)).toEqual(named(attacks.map(({ message }) => message)))
})

describe('the verifier of exports of a company without', () => {
  it.each(mutants<CompanyVerifier>('verifyCompanyExport.ts'))('$name', async (mutant) => {
    const mutated = await mutant.load()
    const outcomes = attacks.map((attack) => outcomeOf(mutated, attack).catch((error) => `failed: ${error}`))
    expect(await Promise.all(outcomes)).not.toEqual(attacks.map(({ message }) => message))
  })
})

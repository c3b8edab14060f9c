import { afterAll, describe, expect, it } from 'vitest'
import { createOwnRules, RulesNotEvaluated } from '../../../src/rulePacks/ownRules/ownRules.ts'
import type { PackContent } from '../../../src/rulePacks/rulePack.ts'
import { ownDocument } from '../ownDocument.ts'
import { certificateSubject } from '../shipped.ts'

/** The thread that runs the expressions of companies. */

const patient = createOwnRules()
const impatient = createOwnRules(1_000)
afterAll(() => Promise.all([patient.close(), impatient.close()]))

const subject = certificateSubject({ thicknessMm: 100 })

function inForce(document: PackContent, asked: string[] = [], hash: string = document.id) {
  return {
    hash,
    document: async () => {
      asked.push(hash)
      return document
    },
  }
}

/** It has not passed the checks: the thread must end it by the time limit. */
const endless: PackContent = {
  ...ownDocument,
  id: 'endless',
  definitions: Array.from({ length: 40 }, (_, n) => ({
    ...{ name: `text${n}`, family: 'millCert' as const, about: 'Twice as long.' },
    expression: n === 0 ? 'certificate.grade' : `text${n - 1} + text${n - 1}`,
  })).slice(0, 24),
  rules: [
    { ...ownDocument.rules[0], when: 'text23.split("").map(a, text23.split("")).size() > 0' },
    ownDocument.rules[1],
  ],
}

describe('an evaluation', () => {
  it('says what matches, without the expression, and asks for a document once', async () => {
    const asked: string[] = []
    const packs = [inForce(ownDocument, asked)]
    for (let n = 0; n < 3; n += 1) {
      const [outcomes] = await patient.evaluate('a', packs, subject, [])
      expect(outcomes).toMatchObject([
        {
          ruleId: 'thick',
          tag: 'thick',
          result: 'matched',
          expression: '',
          explanation: 'It is 100 mm thick.',
        },
      ])
      expect(outcomes![0]!.values()).toEqual({ 'certificate.thicknessMm': 100, isThick: true })
    }
    expect(asked).toEqual(['house-limits'])
  })

  it('that takes too long is ended with all others of its company; another company goes on', async () => {
    const slow = [1, 2].map(() => impatient.evaluate('a', [inForce(endless)], subject, []))
    const other = impatient.evaluate('b', [inForce(ownDocument)], subject, [])
    for (const one of slow) await expect(one).rejects.toThrow(RulesNotEvaluated)
    expect(await other).toMatchObject([[{ ruleId: 'thick' }]])
  })

  it('fails alone when this release cannot compile the document', async () => {
    const newer = { ...ownDocument, rules: [{ ...ownDocument.rules[0], when: 'tomorrow()' }] }
    await expect(patient.evaluate('a', [inForce(newer, [], 'newer')], subject, [])).rejects.toThrow(
      RulesNotEvaluated,
    )
    expect(await patient.evaluate('a', [inForce(ownDocument)], subject, [])).toHaveLength(1)
  })
})

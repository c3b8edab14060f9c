import { describe, expect, it } from 'vitest'
import type { RuleSubject } from '../../src/domain/ruleBook.ts'
import { evaluateRulePack } from '../../src/rulePacks/evaluate.ts'
import { certificateKey, certificates, orders } from '../examples/examples.ts'
import { packs } from './shipped.ts'
import { subjects } from './variedSubjects.ts'

/**
 * A version that was shipped judges as it did on its first day, whatever the language of the rules has learnt since.
 * A missing file is written; a difference is a mistake in the code, because a file never changes.
 */

const examples = [
  ...certificates.map((content) => [certificateKey(content), { family: 'millCert', content }] as const),
  ...orders.map((content) => [content.orderNumber, { family: 'order', content }] as const),
] as unknown as readonly (readonly [string, RuleSubject])[]
const judged = [...examples, ...subjects.map((subject, n) => [`varied ${n + 1}`, subject] as const)]

describe('judges as it was shipped:', () => {
  it.each(packs.map((pack) => [pack.document.id, pack.document.version, pack] as const))(
    '%s, version %i',
    async (id, version, pack) => {
      const found = judged.flatMap(([label, subject]) =>
        evaluateRulePack(pack, subject)
          .filter(({ result }) => result !== 'not-matched')
          .map(({ ruleId, tag, reason }) => `${label}: ${ruleId} ${reason ? `? ${reason}` : `→ ${tag}`}`),
      )
      await expect([`hash ${pack.hash}`, ...found, ''].join('\n')).toMatchFileSnapshot(
        `./golden/${id}-${version}.txt`,
      )
    },
  )
})

import type { CertificateContent } from '../../src/domain/certificates/certificateContent.ts'
import type { RuleBook } from '../../src/domain/rulePacks/ruleBook.ts'
import { packOffer, ruleBookOf, systemTag } from '../support/rules.ts'

/** A release with one pack, which tags plates from this thickness on, and is not evaluated without a thickness. */
export function thickRelease(version: number, fromMm: number): RuleBook {
  return ruleBookOf({
    offer: packOffer({
      version,
      hash: `hash ${version}`,
      tags: [systemTag('thick'), systemTag('urgent', { family: 'order' })],
    }),
    rules: [
      {
        ruleId: 'is-thick',
        tag: 'thick',
        says: (content) => {
          const { thicknessMm } = content as CertificateContent
          return thicknessMm === null ? 'no thickness' : thicknessMm >= fromMm
        },
      },
    ],
  })
}

import type { CertificateContent } from '../../src/domain/certificateContent.ts'
import type { RuleBook } from '../../src/domain/ruleBook.ts'
import { packOffer, ruleBookOf, systemTag } from '../support/rules.ts'

/** A release whose one pack tags what is thick: from so many millimetres on, unknown without a thickness. */
export const thickRelease = (version: number, fromMm: number): RuleBook =>
  ruleBookOf({
    offer: packOffer({
      ...{ version, hash: `hash ${version}` },
      tags: [systemTag('thick'), systemTag('urgent', { family: 'order' })],
    }),
    rules: [
      {
        ...{ ruleId: 'is-thick', tag: 'thick' },
        says: (content) => {
          const { thicknessMm } = content as CertificateContent
          return thicknessMm === null ? 'no thickness' : thicknessMm >= fromMm
        },
      },
    ],
  })

import { describe, expect, it } from 'vitest'
import type { SteelOptions } from '../../../src/domain/certificates/steelOptions.ts'
import { findingTexts } from '../../../src/domain/verdict/findingTexts.ts'
import { fixedCodes } from '../../../src/domain/verdict/observation.ts'
import { settableCodes } from '../../../src/domain/verdict/releasePolicy.ts'
import { sentence, sentenceIn, toldIn } from '../../../src/domain/verdict/sentence.ts'
import { judge } from '../../../src/domain/verdict/verdict.ts'
import type {
  JudgedCertificate,
  JudgedOrder,
  VerdictFacts,
} from '../../../src/domain/verdict/verdictFacts.ts'
import { judgedCertificate, judgedFacts, judgedLine, judgedOrder } from './judged.ts'

const judged = (certificate: Partial<JudgedCertificate>, order: Partial<JudgedOrder> = {}): VerdictFacts => ({
  ...judgedFacts,
  certificate: { ...judgedCertificate, ...certificate },
  orders: [{ ...judgedOrder, ...order }],
})
const texts = Object.entries(findingTexts)
const valuesIn = (text: string) => new Set(text.match(/\{\w+\}/g))

describe('the sentences of findings', () => {
  it.each(texts)('carry the same values in each language: %s', (_, { en, de }) => {
    expect(valuesIn(de)).toEqual(valuesIn(en))
    expect(de).not.toBe('')
  })

  // A difference of sizes is told as one of the thickness or of the width.
  it.each([...settableCodes, ...fixedCodes].filter((code) => code !== 'size-mismatch'))(
    'have a text for the code %s',
    (code) => expect(Object.keys(findingTexts)).toContain(code),
  )

  it.each([
    [
      judged({ grade: 'S235JR' }),
      'Position 10 des Auftrags SO-1: Verlangt ist S355J2, und der Stahl ist EN 10025-2 S235JR. Verwenden Sie eine Schmelze des verlangten Stahls.',
    ],
    [
      judged(
        { chemistry: { C: 0.17, Si: 0.31, P: 0.012 } },
        { lineItems: [{ ...judgedLine, options: { siliconClass: 'B' } as SteelOptions }] },
      ),
      'Position 10 des Auftrags SO-1: Der Auftrag verlangt die Siliziumklasse B (0,14 < Si ≤ 0,25; P < 0,035), und im Zeugnis steht Si 0,31 %; P 0,012 %. Verwenden Sie eine andere Schmelze, oder fragen Sie den Tragwerksplaner, bevor Sie übersteuern.',
    ],
    [
      judged({ thicknessMm: 10 }, { lineItems: [{ ...judgedLine, profile: 'PL 12.5' }] }),
      'Position 10 des Auftrags SO-1: Die Dicke von PL12.5 ist 12,5 mm, und im Zeugnis stehen 10 mm. Verwenden Sie einen anderen Stab, oder korrigieren Sie das Zeugnis.',
    ],
    [
      judged({}, { lineItems: [{ ...judgedLine, lengthMm: 12_001.5 }] }),
      'Position 10 des Auftrags SO-1 verlangt Teile von 12\u00a0001,5 mm, und ein Schnitt ist 6000 mm lang. Lehnen Sie den Schnitt ab, und planen Sie das Teil in voller Länge.',
    ],
    [
      judged({}, { executionClass: null }),
      'Auftrag SO-1: Nicht angegeben ist die Ausführungsklasse. Korrigieren Sie den Auftrag.',
    ],
    [
      judged({ productForm: 'Plate', standard: 'EN 10219-1' }),
      'Das Zeugnis widerspricht sich: die Erzeugnisform Blech und die Norm EN 10219-1, die für Hohlprofile gilt. Lesen Sie das Original, und korrigieren Sie das Zeugnis.',
    ],
  ])('are told in German', (facts, words) => {
    const told = judge(facts).findings.map((finding) => toldIn('de', finding))
    expect(told).toContain(words)
  })

  it('are replaced by the message where a text is unknown', () => {
    const finding = { message: 'The bar is bent.', sentence: { text: 'of-another-release' } }
    expect(toldIn('de', finding)).toBe('The bar is bent.')
  })

  it.each([null, { number: null }, { number: { figures: 5 } }, { number: { parts: {} } }])(
    'are replaced by the message where a caller has made them up: %j',
    (values) => {
      const sentence = { text: 'OrderRegistered', values } as never
      expect(toldIn('de', { message: 'As it was sent.', sentence })).toBe('As it was sent.')
    },
  )

  it('are the message in English', () => {
    const [finding] = judge({ ...judgedFacts, certificate: null }).findings
    expect(finding!.message).toBe(sentenceIn('en', sentence('no-certificate')))
  })
})
